package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.BackfillAnswer;
import dev.elasticjob.admin.command.BackfillRequest;
import dev.elasticjob.admin.command.CancelRequest;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.SimulatedCluster.Execution;
import dev.elasticjob.job.ShardingContext.Requester;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.testing.ChangedRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scheduled times of the past that run once more. */
class BackfillTest {
    private static final JobTree TREE = new JobTree("orders");
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("0 0 3 * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(3)
            .build();
    private static final Instant FIRST = Instant.parse("2026-02-20T03:00:00Z");
    private static final BackfillRequest FIVE_DAYS = BackfillRequest.of(FIRST, FIRST.plus(Duration.ofDays(4)));

    private SimulatedCluster cluster = new SimulatedCluster(3);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void eachTimeRunsOnceOnEachItemInTheirOrder(long seed) {
        cluster = new SimulatedCluster(seed);
        start("a@-@1", "b@-@1", "c@-@1");

        BackfillAnswer answer = cluster.get(admin().backfill("orders", FIVE_DAYS));
        cluster.pass(Duration.ofMinutes(2));

        assertThat(answer.times()).isEqualTo(5);
        assertThat(times(0)).containsExactlyElementsOf(days(5));
        assertThat(times(1)).containsExactlyElementsOf(days(5));
        assertThat(times(2)).containsExactlyElementsOf(days(5));
        assertThat(cluster.executions())
                .allSatisfy(one -> assertThat(one.runId()).isEqualTo("orders@" + one.scheduledAt()));
        assertThat(cluster.events())
                .filteredOn(JobEvent.ItemStarted.class::isInstance)
                .extracting(event -> ((JobEvent.ItemStarted) event).requester())
                .containsOnly(Optional.of(new Requester("alice", "")));
        assertThat(cluster.read(TREE.backfill()).map(RegistryNode::text)).hasValue("");
        assertThat(cluster.events())
                .filteredOn(JobEvent.BackfillEnded.class::isInstance)
                .hasSize(1);
    }

    @Test
    void theScheduleGoesFirstAndOwesWhatItOwed() {
        start("a@-@1");
        Instant due = Instant.parse("2026-03-01T03:00:00Z");
        cluster.pass(Duration.between(cluster.now(), due.minusMillis(200)));
        cluster.holdItems();
        cluster.get(admin().backfill("orders", BackfillRequest.of(FIRST, FIRST.plus(Duration.ofDays(2)))));
        cluster.pass(Duration.ofSeconds(5));
        cluster.letItemsBegin();

        cluster.pass(Duration.ofMinutes(1));

        assertThat(times(0))
                .containsExactly(FIRST, due, FIRST.plus(Duration.ofDays(1)), FIRST.plus(Duration.ofDays(2)));
    }

    @Test
    void tellsWhichOfTheTimesFailed() {
        Instant second = FIRST.plus(Duration.ofDays(1));
        cluster.start(
                "a@-@1",
                ORDERS,
                context -> {
                    if (context.getShardingItem() == 1
                            && context.getScheduledTime().equals(second)) {
                        throw new IllegalStateException("the rates of that day are missing");
                    }
                },
                UnaryOperator.identity());
        cluster.pass(Duration.ofSeconds(3));

        String id = cluster.get(admin().backfill("orders", FIVE_DAYS)).id();
        cluster.pass(Duration.ofMinutes(2));

        assertThat(cluster.events())
                .contains(new JobEvent.BackfillEnded("orders", id, FIVE_DAYS.until(), 1, List.of(second)));
    }

    /** What was interrupted is repeated under the new settings: its time isn't over. */
    @Test
    void noTimeIsOverBySettingsThatWereChangedMeanwhile() {
        CompletableFuture<Void> released = new CompletableFuture<>();
        AtomicReference<OneEngine> running = new AtomicReference<>();
        List<String> known = new ArrayList<>();
        OneEngine one = new OneEngine(
                FIRST.plus(Duration.ofHours(1)),
                alone(false),
                context -> {
                    if (known.isEmpty()) {
                        known.add("executes");
                        OneEngine here = running.get();
                        here.expireSession();
                        here.pass(Duration.ofSeconds(5));
                        here.configure(alone(true));
                        released.complete(null);
                        here.settle();
                        here.read(TREE.backfill()).map(RegistryNode::text).ifPresent(known::add);
                    }
                },
                UnaryOperator.identity(),
                registry -> new ChangedRegistry(registry) {
                    @Override
                    public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                        boolean late = !known.isEmpty()
                                && commit.operations().stream()
                                        .anyMatch(step -> step.path().equals(TREE.backfill()));
                        return late
                                ? released.thenCompose(now -> super.commit(session, commit))
                                : super.commit(session, commit);
                    }
                });
        running.set(one);
        one.started();
        one.admin().backfill("orders", BackfillRequest.of(FIRST, FIRST));
        one.settle();

        one.runItems();

        assertThat(known).hasSize(2).last().asString().contains("\"open\":[\"" + FIRST + "\"]");
    }

    private static JobDefinition alone(boolean failover) {
        return ORDERS.toBuilder().shardingTotalCount(1).failover(failover).build();
    }

    @Test
    void anotherLeaderGoesOn() {
        start("a@-@1", "b@-@1", "c@-@1");
        cluster.get(admin().backfill("orders", FIVE_DAYS));
        cluster.steps(60);

        cluster.expire("a@-@1");
        cluster.pass(Duration.ofMinutes(2));

        assertThat(times(0)).containsExactlyElementsOf(days(5));
        assertThat(times(1)).containsExactlyElementsOf(days(5));
        assertThat(times(2)).containsExactlyElementsOf(days(5));
    }

    @Test
    void whatWaitsIsDroppedWhenItIsStoppedAndWhatExecutesGoesOn() {
        start("a@-@1");
        cluster.holdItems();
        cluster.get(admin().backfill("orders", new BackfillRequest(FIRST, FIRST.plus(Duration.ofDays(4)), 3)));
        cluster.pass(Duration.ofSeconds(10));

        cluster.get(admin().stopBackfill("orders"));
        cluster.letItemsBegin();
        cluster.pass(Duration.ofMinutes(1));

        assertThat(times(0)).containsExactly(FIRST);
        assertThat(cluster.read(TREE.trigger(0))).isEmpty();
        assertThatThrownBy(() -> cluster.get(admin().stopBackfill("orders")))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has no backfill");
    }

    @Test
    void aPauseForgetsNoTimeThatWaits() {
        start("a@-@1");
        cluster.holdItems();
        cluster.get(admin().backfill("orders", new BackfillRequest(FIRST, FIRST.plus(Duration.ofDays(1)), 2)));
        cluster.pass(Duration.ofSeconds(10));

        cluster.get(admin().pause("orders"));
        cluster.pass(Duration.ofMinutes(1));
        String inThePause = cluster.read(TREE.backfill()).orElseThrow().text();
        cluster.get(admin().resume("orders"));
        cluster.letItemsBegin();
        cluster.pass(Duration.ofMinutes(2));

        assertThat(inThePause).contains("\"open\":[\"2026-02-20T03:00:00Z\",\"2026-02-21T03:00:00Z\"]");
        assertThat(times(0)).containsExactlyElementsOf(days(2));
    }

    @Test
    void aTimeOfItIsCancelledByTheRunIdOfTheFiring() {
        start("a@-@1");
        cluster.holdItems();
        cluster.get(admin().backfill("orders", FIVE_DAYS));
        cluster.pass(Duration.ofSeconds(10));

        cluster.get(admin().cancel("orders", CancelRequest.run("orders@" + FIRST)));
        cluster.letItemsBegin();
        cluster.pass(Duration.ofMinutes(2));

        assertThat(times(0)).containsExactlyElementsOf(days(5).subList(1, 5));
    }

    @Test
    void aRangeThatIsTooLongOrHasNoTimeOrMeetsAnotherIsRefused() {
        start("a@-@1");
        Instant night = FIRST.plusSeconds(1);

        assertThatThrownBy(() -> cluster.get(
                        admin().backfill("orders", BackfillRequest.of(FIRST.minus(Duration.ofDays(2_000)), FIRST))))
                .hasRootCauseInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 1,000 scheduled times");
        assertThatThrownBy(
                        () -> cluster.get(admin().backfill("orders", BackfillRequest.of(night, night.plusSeconds(60)))))
                .hasRootCauseInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has no scheduled time");
        assertThatThrownBy(() -> BackfillRequest.of(night, FIRST)).hasMessageContaining("to begin before it ends");

        cluster.holdItems();
        cluster.get(admin().backfill("orders", FIVE_DAYS));
        assertThatThrownBy(() -> cluster.get(admin().backfill("orders", FIVE_DAYS)))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has a backfill");
    }

    /** One execution can't answer both, so it is said why, and not that too many wait. */
    @Test
    void aRunThatIsAskedForWhileATimeWaitsIsRefusedWithTheReason() {
        start("a@-@1");
        cluster.holdItems();
        cluster.get(admin().backfill("orders", new BackfillRequest(FIRST, FIRST.plus(Duration.ofDays(1)), 2)));
        cluster.pass(Duration.ofSeconds(5));

        assertThatThrownBy(() -> cluster.get(admin().trigger("orders", "extra")))
                .hasMessageContaining("\"extra\" was not accepted")
                .hasMessageContaining("which runs a past time or a former run once more");
    }

    private JobAdmin admin() {
        return new RegistryJobAdmin(
                cluster.operator(), new CommandLog(event -> {}, Actor.named("alice")), cluster.timer());
    }

    private void start(String... instances) {
        for (String instance : instances) {
            cluster.start(instance, ORDERS);
            cluster.pass(Duration.ofSeconds(3));
        }
    }

    private List<Instant> times(int item) {
        return cluster.executions().stream()
                .filter(one -> one.item() == item)
                .map(Execution::scheduledAt)
                .toList();
    }

    private static List<Instant> days(int count) {
        return Stream.iterate(FIRST, day -> day.plus(Duration.ofDays(1)))
                .limit(count)
                .toList();
    }
}
