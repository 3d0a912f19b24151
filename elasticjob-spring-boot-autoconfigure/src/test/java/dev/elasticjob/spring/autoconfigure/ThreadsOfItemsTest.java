package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.ShardingContexts;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import dev.elasticjob.testing.Heard;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.MDC;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;

/** The threads of items: what the application's decorators see, and how long Spring waits for them. */
@ExtendWith(OutputCaptureExtension.class)
class ThreadsOfItemsTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(ElasticJobAutoConfiguration.class, TaskExecutionAutoConfiguration.class))
            .withUserConfiguration(OnMemory.class, Orders.class);

    @Test
    void decoratorsSurroundEachItemAndTheListenersTheFirstOneInside() {
        runner.withUserConfiguration(Decorators.class).run(context -> {
            Heard<String> heard = context.getBean(HeardBean.class).heard();
            heard.await(
                    "two items",
                    all -> all.stream().filter("item of orders"::equals).count() >= 2);

            List<String> all = heard.all();
            assertThat(all).startsWith("outer", "inner", "listener", "outer", "inner", "item of orders");
        });
    }

    @Test
    void decoratorsSurroundCallsOfClusterListenersToo() {
        runner.withUserConfiguration(Decorators.class, Totals.class).run(context -> {
            Heard<String> heard = context.getBean(HeardBean.class).heard();
            heard.await("a call", all -> all.contains("totals of orders"));

            assertThat(heard.all()).startsWith("outer", "inner", "totals of orders");
        });
    }

    /** The context that is propagated is the item's, not one of the thread that happens to start it. */
    @Test
    void decoratorThatPropagatesTheContextFindsTheJobsOwn() {
        ContextRegistry registry = ContextRegistry.getInstance();
        registry.registerThreadLocalAccessor(new NameOfTheJob());
        try {
            runner.withBean(ContextPropagatingTaskDecorator.class)
                    .withUserConfiguration(Propagated.class)
                    .run(context -> {
                        Heard<String> heard = context.getBean(HeardBean.class).heard();
                        heard.await("an item", all -> all.contains("invoices, by way of a context: invoices"));
                    });
        } finally {
            registry.removeThreadLocalAccessor(NameOfTheJob.KEY);
        }
    }

    @ParameterizedTest
    @CsvSource({"23s, true", "24s, false", "30s, false"})
    void phaseTimeoutThatIsShorterThanOursIsAWarning(String phase, boolean warned, CapturedOutput output) {
        runner.withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=" + phase)
                .run(context -> assertThat(output.getOut()
                                .lines()
                                .anyMatch(line -> line.contains(" WARN ")
                                        && line.contains(
                                                "\"spring.lifecycle.timeout-per-shutdown-phase\" is 23 s, which is"
                                                        + " shorter than \"elasticjob.shutdown-timeout\" of 24 s")))
                        .isEqualTo(warned));
    }

    @Test
    void applicationWithoutJobsMayHaveAnyPhaseTimeout(CapturedOutput output) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ElasticJobAutoConfiguration.class))
                .withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=1s")
                .run(context -> assertThat(output).doesNotContain("which is shorter than"));
    }

    record HeardBean(Heard<String> heard) {}

    @Configuration(proxyBeanMethods = false)
    static class Orders {
        @Bean
        HeardBean heard() {
            return new HeardBean(new Heard<>());
        }

        @Bean
        @ElasticJob(name = "orders", cron = "* * * * * ?")
        SimpleJob orders(HeardBean heard) {
            return context -> heard.heard().add("item of " + MDC.get("elasticjob.job"));
        }

        @Bean
        ElasticJobListener listener(HeardBean heard) {
            return new ElasticJobListener() {
                @Override
                public void beforeJobExecuted(ShardingContexts contexts) {
                    heard.heard().add("listener");
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Decorators {
        @Bean
        @Order(1)
        TaskDecorator inner(HeardBean heard) {
            return task -> () -> {
                heard.heard().add("inner");
                task.run();
            };
        }

        @Bean
        @Order(2)
        TaskDecorator outer(HeardBean heard) {
            return task -> () -> {
                heard.heard().add("outer");
                task.run();
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Totals {
        @Bean
        ClusterJobListener totals(HeardBean heard) {
            return new ClusterJobListener() {
                @Override
                public void beforeFirstItem(ClusterFiring firing) {
                    heard.heard().add("totals of " + MDC.get("elasticjob.job"));
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Propagated {
        @Bean
        @ElasticJob(name = "invoices", cron = "* * * * * ?")
        SimpleJob invoices(HeardBean heard) {
            return context -> heard.heard()
                    .add("%s, by way of a context: %s".formatted(context.getJobName(), NameOfTheJob.PROPAGATED.get()));
        }
    }

    /** What an application has that propagates a part of the MDC to where it looks for it. */
    private static final class NameOfTheJob implements ThreadLocalAccessor<String> {
        private static final String KEY = "name of the job";
        private static final ThreadLocal<@Nullable String> PROPAGATED = new ThreadLocal<>();

        @Override
        public Object key() {
            return KEY;
        }

        @Override
        public @Nullable String getValue() {
            return MDC.get("elasticjob.job");
        }

        @Override
        public void setValue(String value) {
            PROPAGATED.set(value);
        }

        @Override
        public void setValue() {
            PROPAGATED.remove();
        }
    }
}
