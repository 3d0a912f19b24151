package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An execution that has crashed twice rests for five seconds; then whoever has room goes on with it. */
class FailoverPauseTest {
    private static final JobTree TREE = new JobTree("orders");
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("0 0 12 * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(1)
            .jobShardingStrategyClass("STICKY")
            .failover(true)
            .build();
    private static final JobDefinition SLOW =
            JobDefinition.builder("slow").shardingTotalCount(1).build();
    private static final int OTHERS = 5;

    private final List<String> runs = new ArrayList<>();
    private final List<List<String>> seen = new ArrayList<>();
    private final List<Long> requests = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4})
    void itIsTakenByOneThatHasRoomWhileItsOwnerHasNone(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);

        whileTheOwnerIsBusy(cluster, () -> {
            cluster.pass(Duration.ofMillis(4_500));
            seen.add(List.copyOf(runs));
            cluster.pass(Duration.ofSeconds(2));
            seen.add(List.copyOf(runs));
        });

        assertThat(seen).hasSize(2);
        assertThat(seen.get(0)).as("during the pause").isEmpty();
        assertThat(seen.get(1)).as("after it").containsExactly("attempt 3");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4})
    void nobodyAsksDuringThePauseAndThoseThatLookAfterItDoSoInTurn(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);

        whileTheOwnerIsBusy(cluster, () -> {
            cluster.pass(Duration.ofSeconds(1));
            requests.add(requestsIn(cluster, Duration.ofMillis(3_500)));
            requests.add(requestsIn(cluster, Duration.ofSeconds(2)));
        });

        assertThat(requests.get(0)).as("the owner's lease").isLessThanOrEqualTo(2);
        assertThat(requests.get(1))
                .as("each looks when the pause is over, when it is taken, and perhaps once between; one takes it")
                .isLessThanOrEqualTo(3 * (OTHERS + 1) + 3);
    }

    private static long requestsIn(SimulatedCluster cluster, Duration duration) {
        long before = cluster.requests();
        cluster.pass(duration);
        return cluster.requests() - before;
    }

    // ------------------------------------------------------------------ the cast

    /** The owner of the only item has one thread, which another job has; then the item is found interrupted. */
    private void whileTheOwnerIsBusy(SimulatedCluster cluster, Runnable meanwhile) {
        cluster.start("z@-@1", ORDERS, context -> runs.add("on its owner"), engine -> engine.maxThreads(1));
        cluster.pass(Duration.ofSeconds(1));
        cluster.engine("z@-@1").register(SLOW, context -> {
            interrupt(cluster);
            meanwhile.run();
        });
        for (int other = 1; other <= OTHERS; other++) {
            cluster.start(
                    "a@-@" + other,
                    ORDERS,
                    context -> runs.add("attempt " + context.getAttempt()),
                    UnaryOperator.identity());
        }
        cluster.pass(Duration.ofSeconds(1));
        assertThat(cluster.read(TREE.sharding()).orElseThrow().text()).contains("\"z@-@1\":\"0\"");
        cluster.engine("z@-@1").admin().trigger("slow");
        cluster.pass(Duration.ofSeconds(20));
    }

    private static void interrupt(SimulatedCluster cluster) {
        String interrupted = """
                {"scheduledAt":"2026-02-28T12:00:00Z","state":"INTERRUPTED","instance":"x@-@1","attempt":2,"crashes":2,
                "startedAt":"2026-02-28T12:00:00Z","finishedAt":"2026-02-28T12:00:05Z"}""";
        cluster.commit(RegistryCommit.builder()
                .set(TREE.item(0), interrupted.getBytes(StandardCharsets.UTF_8), RegistryCommit.ANY_VERSION)
                .create(TREE.failoverItem(0)));
    }
}
