package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.NameMatchMethodPointcutAdvisor;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ClassPathBeanDefinitionScanner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.env.Environment;
import org.springframework.core.type.filter.AssignableTypeFilter;

/** Every way to declare a bean, with every kind of proxy: each is one job, and nothing is said about it. */
@ExtendWith(OutputCaptureExtension.class)
class DeclarationTableTest {
    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withUserConfiguration(JobBeanCollectorTest.Collecting.class);

    private enum Proxies {
        NONE,
        OF_INTERFACES,
        OF_CLASSES
    }

    static Stream<Arguments> everyWayWithEveryProxy() {
        List<Class<?>> ways = List.of(
                Imported.class,
                ConcreteMethod.class,
                InterfaceMethod.class,
                LazyInterfaceMethod.class,
                StaticInterfaceMethod.class,
                InheritedMethod.class,
                AnnotatedMethod.class,
                AnnotatedInterfaceMethod.class,
                DataflowInterfaceMethod.class,
                RegisteredClass.class,
                RegisteredInterface.class,
                MadeByAFactoryBean.class,
                ScopedPrototype.class,
                ProxiedByHand.class,
                NamedByProperty.class,
                Defined.class,
                MethodOfABean.class,
                MethodOfAnInterface.class,
                MethodOfAScopedBean.class);
        return ways.stream().flatMap(way -> Stream.of(Proxies.values()).map(proxies -> Arguments.of(way, proxies)));
    }

    @ParameterizedTest
    @MethodSource("everyWayWithEveryProxy")
    void isOneJob(Class<?> way, Proxies proxies, CapturedOutput output) {
        ApplicationContextRunner declared =
                runner.withUserConfiguration(way).withPropertyValues("app.classes=" + (proxies == Proxies.OF_CLASSES));
        if (way == NamedByProperty.class) {
            declared = declared.withPropertyValues("elasticjob.jobs.orders.bean=orders");
        }

        (proxies == Proxies.NONE ? declared : declared.withUserConfiguration(Intercepted.class)).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(JobBeanCollector.class).jobNames()).containsExactly("orders");
            assertThat(output).doesNotContain("nothing runs it");
        });
    }

    // ------------------------------------------------------------------ ways that are probably mistakes

    @Test
    void aScannedClassThatIsRegisteredAsWellIsNamed(CapturedOutput output) {
        runner.withInitializer(context -> {
                    var scanner = new ClassPathBeanDefinitionScanner(
                            (org.springframework.beans.factory.support.BeanDefinitionRegistry) context, false);
                    scanner.addIncludeFilter(new AssignableTypeFilter(Nameless.class));
                    scanner.scan(DeclarationTableTest.class.getPackageName());
                })
                .withUserConfiguration(RegisteredTwice.class)
                .run(context -> {
                    assertThat(context.getBean(JobBeanCollector.class).jobNames())
                            .hasSize(3);
                    assertThat(output)
                            .containsPattern("WARN.*" + Nameless.class.getName().replace("$", "\\$")
                                    + " is registered as the beans \\[(asia, europe|europe, asia)], and once more as bean"
                                    + " \\[declarationTableTest.Nameless], because @ElasticJob makes it a component");
                });
    }

    @Test
    void aMethodThatMakesAJobAndIsNoBeanMethodIsReported() {
        runner.withUserConfiguration(Stray.class)
                .run(context -> assertThat(report(context))
                        .contains(
                                "@ElasticJob on " + Stray.class.getName()
                                        + ".forgotten() can't be a job: it returns a job and does no work itself. Put @Bean on it")
                        .doesNotContain(".orders()"));
    }

    @Test
    void jobsThatFollowEachOtherAreReported() {
        runner.withUserConfiguration(Circle.class)
                .run(context -> assertThat(report(context))
                        .contains(
                                "The jobs \"a\", \"b\", \"c\" run after each other in a circle, so none of them would ever run."
                                        + " Remove one from the \"after\" of another, for example \"b\" from"
                                        + " \"elasticjob.jobs.a.after\"."));
    }

    private static String report(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        assertThat(context.getStartupFailure()).isInstanceOf(FailureAnalyzedException.class);
        return ((FailureAnalyzedException) context.getStartupFailure())
                .analysis()
                .getDescription();
    }

    @ElasticJob(name = "orders")
    static class OrdersJob implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {}
    }

    @ElasticJob(name = "orders")
    static class OrdersFlow implements DataflowJob<String> {
        @Override
        public List<String> fetchData(ShardingContext context) {
            return List.of();
        }

        @Override
        public void processData(ShardingContext context, List<String> data) {}
    }

    static class PlainJob implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {}
    }

    @ElasticJob
    static class Nameless extends PlainJob {}

    @Configuration(proxyBeanMethods = false)
    @Import(OrdersJob.class)
    static class Imported {}

    @Configuration(proxyBeanMethods = false)
    static class ConcreteMethod {
        @Bean
        OrdersJob orders() {
            return new OrdersJob();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class InterfaceMethod {
        @Bean
        SimpleJob orders() {
            return new OrdersJob();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyInterfaceMethod {
        @Bean
        @Lazy
        SimpleJob orders() {
            return new OrdersJob();
        }
    }

    @Configuration
    static class StaticInterfaceMethod {
        @Bean
        static SimpleJob orders() {
            return new OrdersJob();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class InheritedMethod extends InterfaceMethod {}

    @Configuration(proxyBeanMethods = false)
    static class AnnotatedMethod {
        @Bean
        @ElasticJob(name = "orders")
        PlainJob anything() {
            return new PlainJob();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AnnotatedInterfaceMethod {
        @Bean
        @ElasticJob(name = "orders")
        SimpleJob anything() {
            return context -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class DataflowInterfaceMethod {
        @Bean
        DataflowJob<String> orders() {
            return new OrdersFlow();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(RegisteredClass.Registrar.class)
    static class RegisteredClass {
        static class Registrar implements BeanRegistrar {
            @Override
            public void register(BeanRegistry registry, Environment environment) {
                registry.registerBean("anything", OrdersJob.class);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(RegisteredInterface.Registrar.class)
    static class RegisteredInterface {
        static class Registrar implements BeanRegistrar {
            @Override
            public void register(BeanRegistry registry, Environment environment) {
                registry.registerBean("anything", SimpleJob.class, spec -> spec.supplier(context -> new OrdersJob()));
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MadeByAFactoryBean {
        @Bean
        FactoryBean<SimpleJob> orders() {
            return new FactoryBean<>() {
                @Override
                public SimpleJob getObject() {
                    return new OrdersJob();
                }

                @Override
                public Class<?> getObjectType() {
                    return SimpleJob.class;
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ScopedPrototype {
        @Bean
        @Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        OrdersJob orders() {
            return new OrdersJob();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ProxiedByHand {
        @Bean
        SimpleJob orders() {
            return (SimpleJob) new ProxyFactory(new OrdersJob()).getProxy();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NamedByProperty {
        @Bean
        SimpleJob orders() {
            return new PlainJob();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Defined {
        @Bean
        SimpleJob orders() {
            return new PlainJob();
        }

        @Bean
        JobDefinition definition() {
            return JobDefinition.builder("orders").build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(RegisteredTwice.Registrar.class)
    static class RegisteredTwice {
        static class Registrar implements BeanRegistrar {
            @Override
            public void register(BeanRegistry registry, Environment environment) {
                for (String name : new ArrayList<>(List.of("europe", "asia"))) {
                    registry.registerBean(name, Nameless.class);
                }
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Stray extends AnnotatedInterfaceMethod {
        @ElasticJob(name = "forgotten")
        SimpleJob forgotten() {
            return context -> {};
        }
    }

    interface Orders {
        void orders();
    }

    static class OrdersService implements Orders {
        @Override
        @ElasticJob
        public void orders() {}
    }

    interface DeclaredOrders extends Orders {
        @Override
        @ElasticJob(name = "orders")
        void orders();
    }

    @Configuration(proxyBeanMethods = false)
    @Import(OrdersService.class)
    static class MethodOfABean {}

    @Configuration(proxyBeanMethods = false)
    static class MethodOfAnInterface {
        @Bean
        DeclaredOrders service() {
            return () -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MethodOfAScopedBean {
        @Bean
        @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        OrdersService service() {
            return new OrdersService();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Circle {
        @Bean
        @ElasticJob(name = "a", after = "b")
        SimpleJob a() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "b", after = "c")
        SimpleJob b() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "c", after = "a")
        SimpleJob c() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "report", after = "a")
        SimpleJob report() {
            return context -> {};
        }
    }

    static class Intercepted {
        @Bean
        static DefaultAdvisorAutoProxyCreator proxies(Environment environment) {
            var proxies = new DefaultAdvisorAutoProxyCreator();
            proxies.setProxyTargetClass(environment.getProperty("app.classes", Boolean.class, false));
            return proxies;
        }

        @Bean
        static Advisor advisor() {
            var advisor = new NameMatchMethodPointcutAdvisor((MethodInterceptor) MethodInvocation::proceed);
            advisor.setMappedNames("execute", "fetchData", "processData", "orders");
            advisor.setClassFilter(type -> Stream.of(SimpleJob.class, DataflowJob.class, Orders.class)
                    .anyMatch(kind -> kind.isAssignableFrom(type)));
            return advisor;
        }
    }
}
