package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent.AssignmentUnreadable;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.RegistryCommit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Somebody makes the assignment of a running job unreadable, and mends it later. The job fires once a minute. */
class UnreadableAssignmentTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration MINUTES = Duration.ofSeconds(150);
    private static final JobDefinition EVERY_MINUTE = JobDefinition.builder("orders")
            .cron("0 * * * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(2)
            .build();

    private final List<String> runs = new ArrayList<>();
    private final SimpleJob noting = context -> runs.add(context.getShardingItem() + " " + context.getScheduledTime());
    private final OneEngine one = new OneEngine(NOON.minusSeconds(1), EVERY_MINUTE, noting).started();

    @Test
    void nothingIsClaimedAndItIsToldOnce() {
        write("mend me");
        one.pass(MINUTES);

        assertThat(one.waitingItems()).isZero();
        assertThat(EventLog.only(AssignmentUnreadable.class, one.events))
                .singleElement()
                .satisfies(told -> {
                    assertThat(told.node()).isEqualTo("/orders/sharding");
                    assertThat(told.reason()).contains("mend me");
                });
        assertThat(one.engine.state("orders")).isEqualTo(JobState.SUSPENDED);
    }

    @Test
    void nobodyAsksAgainUntilItIsMended() {
        write("mend me");
        one.pass(MINUTES);
        long before = one.requests();

        one.pass(Duration.ofMinutes(9));

        assertThat(one.requests() - before).isZero();
    }

    @Test
    void onceMendedItGoesOnByItself() {
        String assignment = one.read(TREE.sharding()).orElseThrow().text();
        write("mend me");
        one.pass(MINUTES);

        write(assignment);
        one.settle();
        one.runItems();

        assertThat(runs).containsExactlyInAnyOrder("0 2026-03-01T12:02:00Z", "1 2026-03-01T12:02:00Z");
        assertThat(one.engine.state("orders")).isEqualTo(JobState.ACTIVE);
    }

    /** No claim would tell the leader of it before the next firing. */
    @Test
    void emptiedUnderItsLeaderItIsPlannedAtOnce() {
        one.passRunning(Duration.ofSeconds(5));
        String before = one.read(TREE.sharding()).orElseThrow().text();

        write("");
        one.settle();

        assertThat(one.read(TREE.sharding()).orElseThrow().text()).isEqualTo(before);
    }

    @Test
    void onceEmptiedItIsPlannedAnew() {
        one.pass(Duration.ofSeconds(2));
        one.runItems();
        write("mend me");
        one.pass(MINUTES);

        write("");
        one.settle();
        one.runItems();

        assertThat(runs)
                .containsExactlyInAnyOrder(
                        "0 2026-03-01T12:00:00Z",
                        "1 2026-03-01T12:00:00Z",
                        "0 2026-03-01T12:02:00Z",
                        "1 2026-03-01T12:02:00Z");
    }

    @Test
    void everyInstanceGoesOn() {
        SimulatedCluster cluster = SimulatedCluster.ofTwo(EVERY_MINUTE);
        String assignment = cluster.read(TREE.sharding()).orElseThrow().text();
        cluster.commit(RegistryCommit.builder().set(TREE.sharding(), "mend me", RegistryCommit.ANY_VERSION));
        cluster.pass(MINUTES);
        assertThat(cluster.executions()).isEmpty();

        cluster.commit(RegistryCommit.builder().set(TREE.sharding(), assignment, RegistryCommit.ANY_VERSION));
        cluster.settle();

        assertThat(cluster.executions())
                .extracting(SimulatedCluster.Execution::instance)
                .containsExactlyInAnyOrder("a@-@1", "b@-@1");
        assertThat(cluster.events().stream().filter(AssignmentUnreadable.class::isInstance))
                .as("each instance says it once")
                .hasSize(2);
    }

    private void write(String assignment) {
        one.operate(RegistryCommit.builder().set(TREE.sharding(), assignment, RegistryCommit.ANY_VERSION));
    }
}
