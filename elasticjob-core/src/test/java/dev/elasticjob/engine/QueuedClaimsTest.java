package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Items that are claimed and have not begun, as an instance has no room for them, when they become another's. */
class QueuedClaimsTest {
    private static final Instant FIRING = Instant.parse("2026-03-01T00:01:00Z");
    private static final Duration A_MOMENT = Duration.ofSeconds(3);
    private static final JobTree TREE = new JobTree("orders");

    private final Map<Integer, String> runs = new TreeMap<>();
    private final List<Integer> attempts = new ArrayList<>();
    private final List<Integer> ranElsewhere = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4})
    void whatWaitsBehindTheBoundBeginsAtItsNewOwnerAtOnce(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);

        busy(cluster, orders().concurrency(1), UnaryOperator.identity(), one -> join(cluster, orders()));

        assertEachRanOnceAndAtItsNewOwner(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4})
    void whatWaitsForAThreadBeginsAtItsNewOwnerAtOnce(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);

        busy(cluster, orders(), engine -> engine.maxThreads(1), one -> join(cluster, orders()));

        assertEachRanOnceAndAtItsNewOwner(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4})
    void whatWaitsOnAServerThatIsDisabledBeginsElsewhereAtOnce(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);

        busy(cluster, orders(), engine -> engine.maxThreads(1), one -> {
            join(cluster, orders());
            cluster.commit(
                    RegistryCommit.builder().set(TREE.server("10.0.0.1"), "DISABLED", RegistryCommit.ANY_VERSION));
            cluster.pass(A_MOMENT);
        });

        assertEachRanOnceAndAtItsNewOwner(3);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4})
    void whatWaitsOnAnInstanceThatDrainsBeginsElsewhereAtOnce(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);

        busy(cluster, orders(), engine -> engine.maxThreads(1), one -> {
            join(cluster, orders());
            cluster.stop("a@-@1");
            cluster.pass(A_MOMENT);
        });

        assertEachRanOnceAndAtItsNewOwner(3);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4})
    void aManualRunThatWaitsMovesWithItsItem(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);
        JobDefinition.Builder once = orders().cron("0 0 12 * * ?");

        start(cluster, once.concurrency(1), UnaryOperator.identity(), one -> join(cluster, once));
        cluster.pass(A_MOMENT);
        cluster.engine("a@-@1").admin().trigger("orders");
        cluster.pass(Duration.ofSeconds(30));

        assertEachRanOnceAndAtItsNewOwner(2);
    }

    // ------------------------------------------------------------------ the cast

    /** An instance with room for one of its four items, until the firing is over; things happen while it runs that. */
    private void busy(
            SimulatedCluster cluster,
            JobDefinition.Builder definition,
            UnaryOperator<ElasticJobEngineBuilder> settings,
            Consumer<SimulatedCluster> meanwhile) {
        start(cluster, definition, settings, meanwhile);
        cluster.pass(Duration.between(cluster.now(), FIRING.plusSeconds(50)));
    }

    private void start(
            SimulatedCluster cluster,
            JobDefinition.Builder definition,
            UnaryOperator<ElasticJobEngineBuilder> settings,
            Consumer<SimulatedCluster> meanwhile) {
        cluster.start(
                "a@-@1",
                definition.build(),
                context -> {
                    boolean first = runs.isEmpty();
                    note("a", context);
                    if (first) {
                        meanwhile.accept(cluster);
                        runs.forEach((item, instance) -> {
                            if (instance.equals("b")) {
                                ranElsewhere.add(item);
                            }
                        });
                    }
                },
                settings);
    }

    private void join(SimulatedCluster cluster, JobDefinition.Builder definition) {
        cluster.start("b@-@1", definition.build(), context -> note("b", context), UnaryOperator.identity());
        cluster.pass(A_MOMENT);
    }

    private void note(String instance, ShardingContext context) {
        runs.put(context.getShardingItem(), instance);
        attempts.add(context.getAttempt());
    }

    /** @param moved how many items began elsewhere while the first still ran */
    private void assertEachRanOnceAndAtItsNewOwner(int moved) {
        assertThat(ranElsewhere).hasSize(moved);
        assertThat(runs).containsOnlyKeys(0, 1, 2, 3);
        assertThat(attempts).containsExactly(1, 1, 1, 1);
    }

    private static JobDefinition.Builder orders() {
        return JobDefinition.builder("orders")
                .cron("0 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(4)
                .jobShardingStrategyClass("STICKY");
    }
}
