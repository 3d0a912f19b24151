package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.engine.SimulatedCluster.Execution;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The port is asynchronous throughout: whole engines run on one thread, and a seed decides all that happens. */
class OneThreadReplayTest {
    private static final int SEEDS = 200;
    private static final int ITEMS = 5;
    private static final String EVERY_FIVE_SECONDS = "0/5 * * * * ?";

    @Test
    void everyItemRunsOncePerFiringWhateverTheInterleaving() {
        for (long seed = 0; seed < SEEDS; seed++) {
            SimulatedCluster cluster = lifeOfACluster(seed);

            assertThat(runsPerFiring(cluster))
                    .as(() -> describe(cluster))
                    .allSatisfy((firing, items) -> assertThat(items).isEqualTo(List.of(0, 1, 2, 3, 4)));
            assertThat(runsPerFiring(cluster).keySet())
                    .as("seed %d: no firing is missing %s", seed, describe(cluster))
                    .containsExactlyElementsOf(firings(cluster));
        }
    }

    @Test
    void aSeedReplaysExactly() {
        for (long seed = 0; seed < SEEDS; seed += 10) {
            SimulatedCluster once = lifeOfACluster(seed);
            SimulatedCluster again = lifeOfACluster(seed);

            assertThat(again.trace()).as("seed %d", seed).isEqualTo(once.trace());
            assertThat(again.tree()).isEqualTo(once.tree());
        }
    }

    @Test
    void otherSeedsAreOtherLives() {
        assertThat(lifeOfACluster(1).trace()).isNotEqualTo(lifeOfACluster(2).trace());
    }

    @Test
    void nothingIsLeftOfInstancesThatHaveLeft() {
        SimulatedCluster cluster = lifeOfACluster(7);

        cluster.stop("b@-@1");
        cluster.stop("c@-@1");
        cluster.stop("d@-@1");
        cluster.pass(Duration.ofSeconds(1));

        assertThat(cluster.tree()).doesNotContain("/orders/instances/").doesNotContain("/orders/leader/election/");
    }

    private static SimulatedCluster lifeOfACluster(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);
        JobDefinition orders = JobDefinition.builder("orders")
                .cron(EVERY_FIVE_SECONDS)
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(ITEMS)
                .build();
        cluster.start("a@-@1", orders);
        cluster.start("b@-@1", orders);
        cluster.start("c@-@1", orders);
        cluster.pass(Duration.ofSeconds(21));
        cluster.stop("a@-@1");
        cluster.pass(Duration.ofSeconds(12));
        cluster.start("d@-@1", orders);
        cluster.pass(Duration.ofSeconds(16));
        return cluster;
    }

    private static TreeMap<Instant, List<Integer>> runsPerFiring(SimulatedCluster cluster) {
        return cluster.executions().stream()
                .collect(Collectors.groupingBy(
                        Execution::scheduledAt,
                        TreeMap::new,
                        Collectors.collectingAndThen(
                                Collectors.mapping(Execution::item, Collectors.toList()),
                                items -> items.stream().sorted().toList())));
    }

    private static TreeSet<Instant> firings(SimulatedCluster cluster) {
        Schedule schedule = Schedule.cron(EVERY_FIVE_SECONDS, ZoneOffset.UTC);
        TreeSet<Instant> firings = new TreeSet<>();
        Optional<Instant> next = schedule.nextAfter(SimulatedCluster.START);
        while (next.isPresent() && !next.get().isAfter(cluster.now())) {
            firings.add(next.get());
            next = schedule.nextAfter(next.get());
        }
        return firings;
    }

    private static String describe(SimulatedCluster cluster) {
        return "\n" + String.join("\n", cluster.trace()) + "\n" + cluster.tree();
    }
}
