package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.spring.ElasticJob;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Jobs that name their strategy, two instances each, on a real ZooKeeper. */
@ExtendWith(OutputCaptureExtension.class)
class StrategyBeansIT {
    private static final String STRATEGY = "--elasticjob.jobs.orders.job-sharding-strategy-class=";

    private final OnZooKeeper zooKeeper = new OnZooKeeper();

    @AfterEach
    void close() {
        zooKeeper.close();
    }

    @Test
    void stickyLeavesAnInstanceWhatItHas() {
        startTwo("STICKY");

        assertThat(itemsOf("a")).containsExactly(0, 1);
        assertThat(itemsOf("b")).containsExactly(2, 3);
    }

    @Test
    void beanDividesByItsName() {
        startTwo("firstInstanceTakesOne");

        assertThat(itemsOf("b")).containsExactly(0);
        assertThat(itemsOf("a")).containsExactly(1, 2, 3);
    }

    @Test
    void whereABeanThrowsTheDefaultOneDividesAndTheLogSaysSo(CapturedOutput output) {
        startTwo("throwing");

        assertDividedByDefault(output, "throwing", "provoked by this test");
    }

    @Test
    void whereABeanGivesNoAnswerTheDefaultOneDividesAndTheLogSaysSo(CapturedOutput output) {
        startTwo("hanging");

        assertDividedByDefault(output, "hanging", "did not return within 5 s");
    }

    private void assertDividedByDefault(CapturedOutput output, String strategy, String reason) {
        assertThat(itemsOf("b")).containsExactly(0, 1);
        assertThat(itemsOf("a")).containsExactly(2, 3);
        assertThat(output)
                .containsPattern("WARN .*Job \"orders\": the sharding strategy \"" + strategy
                        + "\" failed, so the default strategy assigns the items")
                .contains(reason);
    }

    private void startTwo(String strategy) {
        zooKeeper.start("a", Shop.class, STRATEGY + strategy);
        zooKeeper.await(AssignmentChanged.class, now -> now.items().size() == 4);
        zooKeeper.start("b", Shop.class, STRATEGY + strategy);
    }

    private Set<Integer> itemsOf(String instance) {
        return zooKeeper
                .await(
                        AssignmentChanged.class,
                        now -> now.epoch() == 2 && now.instance().equals(instance))
                .items();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {
        @Bean
        @ElasticJob(name = "orders", cron = "0 0 0 1 1 ?", shardingTotalCount = 4)
        SimpleJob orders() {
            return context -> {};
        }

        /** Instances come in descending order. */
        @Bean
        ShardingStrategy firstInstanceTakesOne() {
            return request -> request.instances().size() == 1
                    ? Map.of(request.instances().get(0), items(0, 4))
                    : Map.of(
                            request.instances().get(0),
                            items(0, 1),
                            request.instances().get(1),
                            items(1, 4));
        }

        @Bean
        ShardingStrategy throwing() {
            return request -> {
                throw new IllegalStateException("provoked by this test");
            };
        }

        @Bean
        ShardingStrategy hanging() {
            return request -> new CompletableFuture<Map<String, List<Integer>>>().join();
        }

        private static List<Integer> items(int from, int to) {
            return IntStream.range(from, to).boxed().toList();
        }
    }
}
