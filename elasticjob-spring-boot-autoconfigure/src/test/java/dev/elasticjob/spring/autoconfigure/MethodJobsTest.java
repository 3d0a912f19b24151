package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.testing.Heard;
import java.io.IOException;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.NameMatchMethodPointcutAdvisor;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** Methods of beans that do the work of jobs, on a registry in memory. */
class MethodJobsTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ElasticJobAutoConfiguration.class))
            .withUserConfiguration(EngineLifecycleTest.OnMemory.class, Ears.class);

    @Test
    void eachMethodOfABeanRunsForEachItemWithWhatItsParametersAsk() {
        runner.withBean("shop", Shop.class)
                .run(context -> calls(context)
                        .await(
                                "all items of all jobs",
                                told -> told.containsAll(List.of(
                                        "plain",
                                        "item 0 of asia",
                                        "item 1 of europe",
                                        "europe of 1",
                                        "context 0 of named",
                                        "inherited"))));
    }

    @Test
    void propertiesOverrideTheAnnotationAndTheMethodIsTheJobsClass() {
        runner.withBean("shop", Shop.class)
                .withPropertyValues("elasticjob.jobs.plain.description=of the property")
                .run(context -> {
                    JobDefinition plain = context.getBean(JobBeanCollector.class).jobs().stream()
                            .map(JobBean::definition)
                            .filter(job -> job.jobName().equals("plain"))
                            .findFirst()
                            .orElseThrow();
                    assertThat(plain.description()).isEqualTo("of the property");
                    assertThat(plain.jobClass()).isEqualTo(Shop.class.getName() + ".plain");
                    assertThat(context.getBean(ElasticJobEngine.class).jobNames())
                            .contains("plain", "items", "named");
                });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theProxyOfTheBeanIsCalled(boolean byClass) {
        runner.withUserConfiguration(Advised.class)
                .withPropertyValues("app.proxy-target-class=" + byClass)
                .withBean("service", ServiceOfInterface.class)
                .run(context -> calls(context)
                        .await("a call through the proxy", told -> told.containsAll(List.of("advised", "work"))));
    }

    // ------------------------------------------------------------------ outcomes

    @ParameterizedTest
    @ValueSource(strings = {"checked", "error", "future"})
    void whatItThrowsIsTheFailureItself(String job) {
        runner.withBean("failing", Failing.class).run(context -> {
            Throwable failed = failure(context.getBean("events", Heard.class), job);

            assertThat(failed.getMessage()).isEqualTo("of " + job);
            assertThat(failed.getClass()).isIn(IOException.class, AssertionError.class);
        });
    }

    @Test
    void aFutureIsWaitedForAndCancelledWhenTheTimeIsOver() {
        runner.withBean("endless", Endless.class)
                .withPropertyValues("elasticjob.jobs.endless.timeout=100ms")
                .run(context -> {
                    failure(context.getBean("events", Heard.class), "endless");

                    assertThat(context.getBean(Endless.class).work).isCancelled();
                });
    }

    private static Heard<?> calls(ApplicationContext context) {
        return context.getBean("calls", Heard.class);
    }

    private static Throwable failure(Heard<?> events, String job) {
        events.await(
                "a failure of " + job, told -> failures(told, job).findAny().isPresent());
        return failures(events.all(), job).findFirst().orElseThrow();
    }

    private static Stream<Throwable> failures(List<?> events, String job) {
        return events.stream()
                .filter(JobEvent.ItemFinished.class::isInstance)
                .map(JobEvent.ItemFinished.class::cast)
                .filter(event -> event.jobName().equals(job))
                .flatMap(event -> event.failure().stream());
    }

    // ------------------------------------------------------------------ methods that can't be jobs

    @Test
    void allProblemsOfAllMethodsAreReportedAtOnce() {
        runner.withUserConfiguration(AsyncOn.class)
                .withBean("wrong", Wrong.class)
                .withBean("job", AnnotatedExecute.class)
                .run(context -> assertThat(report(context.getStartupFailure()))
                        .contains(
                                of(Wrong.class, "date")
                                        + "it has a parameter of the type java.util.Date. A job's method has no parameters, or some of ShardingContext, int (the item's number) and String (the item's parameter).",
                                of(Wrong.class, "date") + "it is static",
                                of(Wrong.class, "strings") + "it has 2 parameters of the type String.",
                                of(Wrong.class, "publisher") + "it returns Publisher, whose work",
                                of(Wrong.class, "bean") + "it returns a job and does no work itself. Put @Bean on it",
                                "Job \"async\": " + Wrong.class.getName() + ".async() is @Async",
                                "Job \"awaited\": " + Wrong.class.getName() + ".awaited() is @Async",
                                "Job \"cron\": cron",
                                of(AnnotatedExecute.class, "execute") + "it is what a SimpleJob"));
    }

    @Test
    void twoMethodsOfOneNameAreReported() {
        runner.withBean("one", Shop.class)
                .withBean("other", Shop.class)
                .run(context -> assertThat(report(context.getStartupFailure()))
                        .contains("Job \"plain\" is declared by 2 beans: \"one\" (" + Shop.class.getName()
                                + ".plain()) and \"other\""));
    }

    static Stream<Class<?>> unreachable() {
        return Stream.of(ServiceWithPrivateMethod.class, ServiceWithMethodOfItsOwn.class);
    }

    @Test
    void finalMethodOfAClassThatIsProxiedIsReported() {
        runner.withUserConfiguration(Advised.class)
                .withBean("service", ServiceWithFinalMethod.class)
                .run(context -> assertThat(report(context.getStartupFailure()))
                        .contains(of(ServiceWithFinalMethod.class, "work") + "it is final"));
    }

    @Test
    void theProductOfAFactoryBeanIsNotMadeToLookForMethods() {
        runner.withBean("remote", Remote.class)
                .withBean("shop", Shop.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @MethodSource("unreachable")
    void methodThatTheProxyCanNotCallIsReported(Class<?> service) {
        boolean byClass = service == ServiceWithPrivateMethod.class;
        runner.withUserConfiguration(Advised.class)
                .withPropertyValues("app.proxy-target-class=" + byClass)
                .withBean("service", service)
                .run(context -> assertThat(report(context.getStartupFailure()))
                        .contains(of(service, "work") + "the bean's proxy can't call it. "
                                + (byClass
                                        ? "Make it package-private or public"
                                        : "Declare it in one of the interfaces")));
    }

    @Test
    void beanOfAScopeWithoutAProxyIsReported() {
        runner.withBean("shop", Shop.class, () -> new Shop(new Heard<>()), bean -> bean.setScope("prototype"))
                .run(context -> assertThat(report(context.getStartupFailure()))
                        .contains("Job \"plain\": bean \"shop\" has the scope \"prototype\""));
    }

    private static String of(Class<?> type, String method) {
        return "@ElasticJob on %s.%s() can't be a job: ".formatted(type.getName(), method);
    }

    private static String report(Throwable failure) {
        assertThat(failure).isInstanceOf(FailureAnalyzedException.class);
        return ((FailureAnalyzedException) failure).analysis().getDescription();
    }

    // ------------------------------------------------------------------ beans

    @Configuration(proxyBeanMethods = false)
    static class Ears {
        @Bean
        Heard<String> calls() {
            return new Heard<>();
        }

        @Bean
        Heard<JobEvent> events() {
            return new Heard<>();
        }

        @Bean
        JobEventListener listener(Heard<JobEvent> events) {
            return events::add;
        }
    }

    static class Parent {
        final Heard<String> calls;

        Parent(Heard<String> calls) {
            this.calls = calls;
        }

        @ElasticJob(cron = "* * * * * ?")
        void inherited() {
            calls.add("inherited");
        }
    }

    static class Shop extends Parent {
        Shop(Heard<String> calls) {
            super(calls);
        }

        @ElasticJob(cron = "* * * * * ?")
        private void plain() {
            calls.add("plain");
        }

        @ElasticJob(cron = "* * * * * ?", shardingTotalCount = 2, shardingItemParameters = "0=asia,1=europe")
        void items(int item, String parameter) {
            calls.add("item " + item + " of " + parameter);
        }

        @ElasticJob(cron = "* * * * * ?", shardingTotalCount = 2, shardingItemParameters = "0=asia,1=europe")
        String otherOrder(String parameter, Integer item) {
            calls.add(parameter + " of " + item);
            return "ignored";
        }

        @ElasticJob(name = "named", cron = "* * * * * ?")
        public void withContext(ShardingContext context) {
            calls.add("context " + context.getShardingItem() + " of " + context.getJobName());
        }
    }

    interface Service {
        void work();
    }

    static class ServiceOfInterface implements Service {
        private final Heard<String> calls;

        ServiceOfInterface(Heard<String> calls) {
            this.calls = calls;
        }

        @Override
        @ElasticJob(cron = "* * * * * ?")
        public void work() {
            calls.add("work");
        }
    }

    interface Other {
        default void other() {}
    }

    static class ServiceWithMethodOfItsOwn implements Other {
        @ElasticJob(cron = "* * * * * ?")
        public void work() {}
    }

    static class ServiceWithFinalMethod implements Other {
        @ElasticJob(cron = "* * * * * ?")
        public final void work() {}
    }

    static class Remote implements FactoryBean<Runnable> {
        @Override
        public Runnable getObject() {
            throw new IllegalStateException("The remote system is down");
        }

        @Override
        public Class<?> getObjectType() {
            return Runnable.class;
        }
    }

    static class ServiceWithPrivateMethod implements Other {
        @ElasticJob(cron = "* * * * * ?")
        private void work() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Advised {
        @Bean
        static DefaultAdvisorAutoProxyCreator proxies(Environment environment) {
            var proxies = new DefaultAdvisorAutoProxyCreator();
            proxies.setProxyTargetClass(environment.getProperty("app.proxy-target-class", Boolean.class, true));
            return proxies;
        }

        @Bean
        static Advisor advisor(Heard<String> calls) {
            var advisor = new NameMatchMethodPointcutAdvisor((MethodInterceptor) invocation -> {
                calls.add("advised");
                return invocation.proceed();
            });
            advisor.setMappedNames("work", "other");
            advisor.setClassFilter(type -> Service.class.isAssignableFrom(type) || Other.class.isAssignableFrom(type));
            return advisor;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(proxyTargetClass = true)
    static class AsyncOn {}

    static class Failing {
        @ElasticJob(cron = "* * * * * ?")
        void checked() throws IOException {
            throw new IOException("of checked");
        }

        @ElasticJob(cron = "* * * * * ?")
        void error() {
            throw new AssertionError("of error");
        }

        @ElasticJob(cron = "* * * * * ?")
        CompletableFuture<Void> future() {
            return CompletableFuture.failedFuture(new IOException("of future"));
        }
    }

    static class Endless {
        final FutureTask<String> work = new FutureTask<>(() -> "never run");

        @ElasticJob(cron = "* * * * * ?")
        Future<String> endless() {
            return work;
        }
    }

    static class Wrong {
        @ElasticJob
        static void date(Date date) {
            Objects.requireNonNull(date);
        }

        @ElasticJob
        void strings(String one, String other) {}

        @ElasticJob
        Flow.Publisher<String> publisher() {
            return subscriber -> {};
        }

        @ElasticJob
        SimpleJob bean() {
            return context -> {};
        }

        @Async
        @ElasticJob
        void async() {}

        @Async
        @ElasticJob
        CompletableFuture<Void> awaited() {
            return CompletableFuture.completedFuture(null);
        }

        @ElasticJob(cron = "every day")
        void cron() {}
    }

    static class AnnotatedExecute implements SimpleJob {
        @Override
        @ElasticJob
        public void execute(ShardingContext context) {}
    }
}
