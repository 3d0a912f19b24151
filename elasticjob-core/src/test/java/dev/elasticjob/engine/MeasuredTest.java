package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.explain.WhatIf;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.registry.JobTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a job's own strategy is asked that needs durations, and what becomes of its answers. The job is due each minute. */
class MeasuredTest {
    private static final JobTree TREE = new JobTree("orders");
    private static final int ITEMS = 40;
    private static final JobDefinition JOB = JobDefinition.builder("orders")
            .cron("10 * * * * ?")
            .shardingTotalCount(ITEMS)
            .jobShardingStrategyClass("own")
            .build();

    private final SimulatedCluster cluster = new SimulatedCluster(7);
    private final List<ShardingStrategy.Request> asked = new ArrayList<>();

    @Test
    void onceAnHourAsManyItemsMoveAsTheStrategySays() {
        twoWith((item, moves) -> item < moves ? "a@-@1" : item % 2 == 0 ? "a@-@1" : "b@-@1");
        NavigableMap<Integer, String> before = owners();

        cluster.pass(Duration.ofMinutes(65));

        assertThat(asked)
                .filteredOn(request -> request.measured().moves() > 0)
                .singleElement()
                .satisfies(request -> {
                    assertThat(request.measured().moves()).isEqualTo(2);
                    assertThat(request.measured().durations()).hasSize(ITEMS);
                });
        before.put(1, "a@-@1");
        assertThat(owners()).isEqualTo(before);
    }

    @Test
    void anAnswerThatMovesMoreIsNotUsed() {
        twoWith((item, moves) -> moves > 0 ? "a@-@1" : item % 2 == 0 ? "a@-@1" : "b@-@1");
        NavigableMap<Integer, String> before = owners();

        cluster.pass(Duration.ofMinutes(130));

        assertThat(asked).filteredOn(request -> request.measured().moves() > 0).hasSize(2);
        assertThat(owners()).isEqualTo(before);
    }

    @Test
    void whileAnInstanceIsAwaitedNothingIsBalanced() {
        twoWith((item, moves) -> item < moves ? "a@-@1" : item % 2 == 0 ? "a@-@1" : "b@-@1");
        NavigableMap<Integer, String> before = owners();
        cluster.pass(Duration.ofMinutes(50));

        cluster.stop("b@-@1");
        cluster.pass(Duration.ofMinutes(20));
        NavigableMap<Integer, String> meanwhile = owners();
        cluster.pass(Duration.ofMinutes(20));

        assertThat(meanwhile).isEqualTo(before);
        assertThat(owners()).doesNotContainValue("b@-@1");
    }

    @Test
    void aJobThatIsNotMonitoredHasNoDurations() {
        start("a@-@1", JOB.toBuilder().monitorExecution(false).build(), (item, moves) -> "a@-@1");

        cluster.pass(Duration.ofMinutes(65));

        assertThat(asked).isNotEmpty().allSatisfy(request -> {
            assertThat(request.measured().moves()).isZero();
            assertThat(request.measured().durations()).isEmpty();
        });
    }

    @Test
    void aPreviewKnowsTheDurations() {
        cluster.start(
                "a@-@1", JOB.toBuilder().jobShardingStrategyClass("MEASURED").build());
        cluster.pass(Duration.ofMinutes(3));
        assertThat(cluster.read(TREE.item(7)).orElseThrow().text()).contains("\"took\":\"PT0.");

        var preview = cluster.get(
                        cluster.inspector().preview("orders", WhatIf.nothing().more(1)))
                .orElseThrow();

        assertThat(preview.moved()).hasSize(ITEMS / 2);
    }

    private void twoWith(BiFunction<Integer, Integer, String> owner) {
        start("a@-@1", JOB, owner);
        start("b@-@1", JOB, owner);
        cluster.pass(Duration.ofMinutes(2));
        assertThat(owners()).containsValues("a@-@1", "b@-@1");
    }

    private void start(String instance, JobDefinition job, BiFunction<Integer, Integer, String> owner) {
        ShardingStrategy own = new ShardingStrategy() {
            @Override
            public Map<String, List<Integer>> shard(Request request) {
                asked.add(request);
                Map<String, List<Integer>> items = new HashMap<>();
                IntStream.range(0, request.shardingTotalCount())
                        .boxed()
                        .collect(Collectors.groupingBy(
                                item -> request.instances().contains("b@-@1")
                                        ? owner.apply(item, request.measured().moves())
                                        : "a@-@1"))
                        .forEach(items::put);
                return items;
            }

            @Override
            public boolean needsDurations() {
                return true;
            }
        };
        cluster.start(
                instance,
                job,
                settings -> settings.strategies(Map.of("own", own)).rebalanceDelay(Duration.ofMinutes(30)));
    }

    private NavigableMap<Integer, String> owners() {
        return new TreeMap<>(NodeCodec.readAssignment(
                        TREE.sharding(),
                        cluster.read(TREE.sharding()).orElseThrow().data())
                .owners());
    }
}
