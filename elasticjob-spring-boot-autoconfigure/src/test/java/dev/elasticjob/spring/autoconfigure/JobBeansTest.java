package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.testing.Heard;
import java.time.Clock;
import java.util.Set;
import java.util.TreeSet;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.NameMatchMethodPointcutAdvisor;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/** Which beans run, and on which engine, on a registry in memory. */
class JobBeansTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ElasticJobAutoConfiguration.class))
            .withUserConfiguration(EngineLifecycleTest.OnMemory.class, Calls.class);

    @Test
    void twoJobsOfOneClassBothRun() {
        runner.withUserConfiguration(TwoOfOneClass.class)
                .run(context -> awaitRuns(context.getBean(Heard.class), "orders-asia", "orders-europe"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void adviceOfAProxyIsAppliedToEachExecution(boolean byClass) {
        runner.withUserConfiguration(Advised.class)
                .withPropertyValues("app.proxy-target-class=" + byClass)
                .withBean("orders", OrdersJob.class)
                .run(context -> awaitRuns(context.getBean(Heard.class), "advised orders", "orders"));
    }

    // ------------------------------------------------------------------ several engines

    @Test
    void engineOfTheApplicationReplacesOursAndRunsTheJobs() {
        runner.withUserConfiguration(OwnEngine.class)
                .withBean("orders", OrdersJob.class)
                .run(context -> {
                    assertThat(context.getBeanNamesForType(ElasticJobEngine.class))
                            .containsExactly("own");
                    assertThat(context.getBean(ElasticJobEngine.class).jobNames())
                            .containsExactly("orders");
                    awaitRuns(context.getBean(Heard.class), "orders");
                });
    }

    @Test
    void secondEngineBesideOursIsToldApartByAQualifier() {
        runner.withUserConfiguration(EngineBeside.class)
                .withBean("orders", OrdersJob.class)
                .run(context -> {
                    assertThat(context.getBean(ElasticJobEngine.class).jobNames())
                            .containsExactly("orders");
                    assertThat(context.getBean("reports", ElasticJobEngine.class)
                                    .jobNames())
                            .containsExactly("report");
                    assertThat(context.getBean(Reporting.class).engine())
                            .isSameAs(context.getBean("reports", ElasticJobEngine.class));
                    awaitRuns(context.getBean(Heard.class), "orders", "report");
                });
    }

    /** As in docs/guide/configuration.md, "Two registries". */
    @Test
    void jobsOfASecondRegistryRunOnAnEngineOfTheirOwn() {
        runner.withUserConfiguration(RegistryBeside.class)
                .withBean("orders", OrdersJob.class)
                .run(context -> {
                    assertThat(context.getBean(ElasticJobEngine.class).jobNames())
                            .containsExactly("orders");
                    awaitRuns(context.getBean(Heard.class), "orders", "report");
                });
    }

    @Test
    void threadsOfTwoContextsAreToldApartByTheirNames() {
        runner.withUserConfiguration(ThreadNames.class)
                .withInitializer(context -> context.setId("shop"))
                .run(first -> runner.withUserConfiguration(ThreadNames.class)
                        .withInitializer(context -> context.setId("reports"))
                        .run(second -> {
                            awaitThread(first.getBean(Heard.class), "elasticjob-shop-worker-");
                            awaitThread(second.getBean(Heard.class), "elasticjob-reports-worker-");
                        }));
    }

    private static void awaitThread(Heard<?> names, String prefix) {
        names.await(
                "a thread " + prefix,
                told -> told.stream().anyMatch(name -> name.toString().startsWith(prefix)));
    }

    @Test
    void ofSeveralEnginesThePrimaryOneRunsTheJobs() {
        runner.withUserConfiguration(PrimaryAndOther.class)
                .withBean("orders", OrdersJob.class)
                .run(context -> {
                    assertThat(context.getBean("primary", ElasticJobEngine.class)
                                    .jobNames())
                            .containsExactly("orders");
                    assertThat(context.getBean("other", ElasticJobEngine.class).jobNames())
                            .isEmpty();
                });
    }

    private static void awaitRuns(Heard<?> calls, String... expected) {
        calls.await(
                "runs of " + String.join(", ", expected),
                told -> new TreeSet<Object>(told).containsAll(Set.of(expected)));
    }

    @Configuration(proxyBeanMethods = false)
    static class Calls {
        @Bean
        Heard<String> calls() {
            return new Heard<>();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoOfOneClass {
        @Bean
        @ElasticJob(name = "orders-asia", cron = "* * * * * ?")
        OrdersJob asia(Heard<String> calls) {
            return new OrdersJob(calls);
        }

        @Bean
        @ElasticJob(name = "orders-europe", cron = "* * * * * ?")
        OrdersJob europe(Heard<String> calls) {
            return new OrdersJob(calls);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Advised {
        @Bean
        static DefaultAdvisorAutoProxyCreator proxies(Environment environment) {
            var proxies = new DefaultAdvisorAutoProxyCreator();
            proxies.setProxyTargetClass(environment.getRequiredProperty("app.proxy-target-class", Boolean.class));
            return proxies;
        }

        @Bean
        static Advisor advisor(Heard<String> calls) {
            var advisor = new NameMatchMethodPointcutAdvisor((MethodInterceptor) invocation -> {
                calls.add("advised " + ((ShardingContext) invocation.getArguments()[0]).getJobName());
                return invocation.proceed();
            });
            advisor.setMappedName("execute");
            return advisor;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnEngine {
        @Bean
        ElasticJobEngine own(Registry registry) {
            return ElasticJobEngine.builder(registry).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryAndOther {
        @Bean
        @Primary
        ElasticJobEngine primary(Registry registry) {
            return ElasticJobEngine.builder(registry).build();
        }

        @Bean
        ElasticJobEngine other(Registry registry) {
            return ElasticJobEngine.builder(registry).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EngineBeside {
        @Bean(defaultCandidate = false)
        @Qualifier("reports")
        ElasticJobEngine reports(Registry registry, Heard<String> calls) {
            ElasticJobEngine reports = ElasticJobEngine.builder(registry).build();
            reports.register(
                    JobDefinition.builder("report").cron("* * * * * ?").build(), job -> calls.add(job.getJobName()));
            return reports;
        }

        @Bean
        Reporting reporting(@Qualifier("reports") ElasticJobEngine engine) {
            engine.start();
            return new Reporting(engine);
        }
    }

    record Reporting(ElasticJobEngine engine) {}

    @Configuration(proxyBeanMethods = false)
    static class RegistryBeside {
        @Bean(defaultCandidate = false)
        @Qualifier("reports")
        Registry reportsRegistry() {
            return new InMemoryRegistry(
                    new InMemoryEnsemble(Clock.systemUTC()), new SimpleAsyncTaskExecutor("registry-"));
        }

        @Bean(defaultCandidate = false, initMethod = "start")
        @Qualifier("reports")
        ElasticJobEngine reportsEngine(@Qualifier("reports") Registry registry, Heard<String> calls) {
            ElasticJobEngine engine = ElasticJobEngine.builder(registry).build();
            engine.register(JobDefinition.builder("report").cron("* * * * * ?").build(), (SimpleJob)
                    context -> calls.add(context.getJobName()));
            return engine;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ThreadNames {
        @Bean
        @ElasticJob(name = "named", cron = "* * * * * ?")
        SimpleJob named(Heard<String> calls) {
            return context -> calls.add(Thread.currentThread().getName());
        }
    }

    @ElasticJob(name = "orders", cron = "* * * * * ?")
    static class OrdersJob implements SimpleJob {
        private final Heard<String> calls;

        OrdersJob(Heard<String> calls) {
            this.calls = calls;
        }

        @Override
        public void execute(ShardingContext context) {
            calls.add(context.getJobName());
        }
    }
}
