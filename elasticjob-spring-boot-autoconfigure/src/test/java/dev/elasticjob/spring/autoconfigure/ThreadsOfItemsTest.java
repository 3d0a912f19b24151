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
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    @Test
    void decoratorThatPropagatesTheContextFindsTheJobsOwn() {
        runner.withUserConfiguration(Propagation.class).run(context -> {
            Heard<String> heard = context.getBean(HeardBean.class).heard();
            heard.await("an item", all -> all.contains("item of orders"));
            assertThat(heard.all()).contains("propagated");
        });
    }

    @ParameterizedTest
    @CsvSource({"23s, true", "24s, false", "30s, false"})
    void phaseTimeoutThatIsShorterThanOursIsAWarning(String phase, boolean warned, CapturedOutput output) {
        runner.withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=" + phase)
                .run(context -> assertThat(output.getOut()
                                .contains(
                                        "\"spring.lifecycle.timeout-per-shutdown-phase\" is 23 s, which is shorter than"
                                                + " \"elasticjob.shutdown-timeout\" of 24 s"))
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
    static class Propagation {
        @Bean
        TaskDecorator propagation() {
            return new ContextPropagatingTaskDecorator();
        }

        /** As it is often written. */
        @Bean
        TaskDecorator logs(HeardBean heard) {
            return task -> {
                Map<String, String> context = Objects.requireNonNullElse(MDC.getCopyOfContextMap(), Map.of());
                return () -> {
                    MDC.setContextMap(context);
                    try {
                        heard.heard().add("propagated");
                        task.run();
                    } finally {
                        MDC.clear();
                    }
                };
            };
        }
    }
}
