package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CancelAnswer.Result;
import dev.elasticjob.admin.command.CancelRequest;
import dev.elasticjob.admin.command.RunOutcome;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemRecordCodec;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.RunEnd;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.after.AfterOutcome;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.testing.Heard;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cancelling, and running again, on three instances and a real ZooKeeper. */
class CancelIT {
    private static final JobTree TREE = new JobTree("orders");
    private static final Actor ALICE = Actor.named("alice").because("wrong data");
    private static final String NONE_YET = "";
    private static final String CANCELLED = "cancelled by alice: wrong data";

    @RegisterExtension
    final RealEngines engines = new RealEngines();

    private final Heard<Started> started = new Heard<>();
    private final CountDownLatch released = new CountDownLatch(1);

    private record Started(String instance, int item, String runId, int attempt, String parameter) {
        boolean is(String run, int number) {
            return runId.equals(run) && item == number;
        }
    }

    /** Waits until it is interrupted, in every attempt of a run named "hangs"; ends at once in others. */
    private void hang(String instance, ShardingContext context) throws InterruptedException {
        tell(instance, context);
        if (context.getRunId().startsWith("hangs") && context.getAttempt() == 1) {
            released.await(60, TimeUnit.SECONDS);
        }
    }

    /** Doesn't respond to its interruption. */
    private void ignore(String instance, ShardingContext context) {
        tell(instance, context);
        boolean waiting = true;
        while (waiting) {
            try {
                released.await(60, TimeUnit.SECONDS);
                waiting = false;
            } catch (InterruptedException ignored) {
                started.add(new Started(instance, context.getShardingItem(), "interrupted", 0, ""));
            }
        }
    }

    private void tell(String instance, ShardingContext context) {
        started.add(new Started(
                instance,
                context.getShardingItem(),
                context.getRunId(),
                context.getAttempt(),
                context.getRunParameter()));
    }

    @Test
    void aRunIsCancelledWhereverItExecutesAndRunsAgainOnRequest() {
        JobAdmin admin = threeInstances(job -> job, this::hang);
        CompletableFuture<RunOutcome> run = admin.run("orders", new RunRequest("hangs", "p"));
        awaitStarts("hangs", 3);

        Map<Integer, Result> asked =
                get(admin.cancel("orders", CancelRequest.run("hangs"))).items();
        RunOutcome ended = get(run);
        RunOutcome again = get(admin.runAgain("orders", "hangs", "again"));

        assertThat(asked).containsOnlyKeys(0, 1, 2).containsValue(Result.ASKED).hasSize(3);
        assertThat(asked.values()).containsOnly(Result.ASKED);
        assertThat(ended.items().values()).allSatisfy(item -> {
            assertThat(item.end()).isEqualTo(RunEnd.FAILED);
            assertThat(item.failure()).contains(CANCELLED);
        });
        assertThat(again.isSuccessful()).isTrue();
        assertThat(again.items()).containsOnlyKeys(0, 1, 2);
        assertThat(started.all())
                .filteredOn(one -> one.attempt() == 2)
                .hasSize(3)
                .allSatisfy(one -> assertThat(one)
                        .extracting(Started::runId, Started::parameter)
                        .containsExactly("hangs", "p"));
        engines.events()
                .awaitAll(JobEvent.ItemCancelled.class, event -> event.reason().equals(CANCELLED), 3);
    }

    @Test
    void anItemWhoseInstanceDiesWhileItIsCancelledIsNotTakenOver() {
        JobAdmin admin = threeInstances(job -> job.failover(true), this::ignore);
        CompletableFuture<RunOutcome> run = admin.run("orders", new RunRequest("first", ""));
        awaitStarts("first", 3);
        String doomed = started.all().stream()
                .filter(one -> one.is("first", 1))
                .findFirst()
                .orElseThrow()
                .instance();

        get(admin.cancel("orders", CancelRequest.item(1)));
        started.await("its interruption", all -> all.stream().anyMatch(one -> one.is("interrupted", 1)));
        engines.registryOf(doomed).close();
        engines.events().await(JobEvent.ItemCancelled.class, event -> event.item() == 1);
        released.countDown();

        assertThat(get(run).items().get(1).end()).isEqualTo(RunEnd.FAILED);
        assertThat(record(1).failure()).isEqualTo(CANCELLED);
        assertThat(record(1).state()).isEqualTo(ItemState.FAILED);
        assertThat(started.all())
                .filteredOn(one -> one.item() == 1)
                .extracting(Started::attempt)
                .containsOnly(0, 1);
    }

    @Test
    void codeThatIgnoresItsInterruptionKeepsItsLockAndFailsAllTheSame() {
        JobAdmin admin = threeInstances(job -> job, this::ignore);
        CompletableFuture<RunOutcome> run = admin.run("orders", new RunRequest("first", ""));
        awaitStarts("first", 3);

        get(admin.cancel("orders", CancelRequest.item(0)));
        started.await("its interruption", all -> all.stream().anyMatch(one -> one.is("interrupted", 0)));
        ItemRecord meanwhile = record(0);
        boolean locked = engines.exists(TREE.running(0));
        Map<Integer, Result> twice = get(admin.by(Actor.named("bob")).cancel("orders", CancelRequest.item(0)))
                .items();
        released.countDown();
        RunOutcome outcome = get(run);

        assertThat(meanwhile.state()).isEqualTo(ItemState.RUNNING);
        assertThat(meanwhile.cancelled()).isNotNull().extracting("actor").isEqualTo("alice");
        assertThat(locked).isTrue();
        assertThat(twice).containsExactly(Map.entry(0, Result.ASKED));
        assertThat(outcome.items().get(0).end()).isEqualTo(RunEnd.FAILED);
        assertThat(outcome.items().get(0).failure()).contains(CANCELLED);
        assertThat(outcome.items().get(1).end()).isEqualTo(RunEnd.COMPLETED);
    }

    @Test
    void whatHasEndedIsNotCancelledAndNothingLaterIsReached() {
        JobAdmin admin = threeInstances(job -> job, this::hang);
        get(admin.run("orders", new RunRequest("one", "")));
        ItemRecord before = record(0);

        assertThatThrownBy(() -> get(admin.cancel("orders", CancelRequest.item(0))))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("isn't executing anything");
        assertThatThrownBy(() -> get(admin.cancel("orders", CancelRequest.run("one"))))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it has ended");
        assertThatThrownBy(() -> get(admin.cancel("orders", CancelRequest.item(9))))
                .hasRootCauseInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has no item 9");
        assertThatThrownBy(() -> get(admin.triggerAgain("orders", "one", "again")))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is known to have failed");
        assertThat(record(0)).isEqualTo(before);
        assertThat(get(admin.run("orders", new RunRequest("two", ""))).isSuccessful())
                .isTrue();
    }

    @Test
    void aWaitingRunIsDroppedWhileAnotherExecutes() {
        JobAdmin admin = threeInstances(job -> job, this::hang);
        CompletableFuture<RunOutcome> first = admin.run("orders", new RunRequest("hangs", ""));
        awaitStarts("hangs", 3);
        CompletableFuture<RunOutcome> waiting = admin.run("orders", new RunRequest("second", ""));
        get(admin.trigger("orders", new RunRequest("third", "")));

        Map<Integer, Result> dropped =
                get(admin.cancel("orders", CancelRequest.run("second"))).items();
        released.countDown();

        assertThat(dropped.values()).hasSize(3).containsOnly(Result.DROPPED);
        assertThat(get(first).isSuccessful()).isTrue();
        assertThat(get(waiting).items().values())
                .extracting(RunOutcome.ItemEnd::end)
                .containsOnly(RunEnd.DROPPED);
        awaitStarts("third", 3);
        assertThat(started.all()).extracting(Started::runId).doesNotContain("second");
    }

    @Test
    void aFiringIsCancelledAndTheJobThatFollowsHearsThatItFailed() {
        JobDefinition report = JobDefinition.builder("report")
                .shardingTotalCount(1)
                .after(new AfterSettings(List.of("orders"), AfterOutcome.FAILURE, Duration.ofHours(1)))
                .build();
        CompletableFuture<String> cancelled = new CompletableFuture<>();
        AtomicReference<Instant> followed = new AtomicReference<>(Instant.MAX);
        JobAdmin admin = threeInstances(
                job -> job.cron("0/2 * * * * ?"),
                (instance, context) -> {
                    tell(instance, context);
                    if (isFiringAfter(context.getRunId(), followed.get())
                            && cancelled.getNow(NONE_YET).equals(NONE_YET)) {
                        released.await(60, TimeUnit.SECONDS);
                    }
                },
                report);
        engines.awaitFollower("orders", "report");
        Instant since = Instant.now();
        followed.set(since);
        started.await(
                "a firing on three items", all -> firingOnAllItems(all, since).isPresent());
        String firing = firingOnAllItems(started.all(), since).orElseThrow();

        Map<Integer, Result> asked =
                get(admin.cancel("orders", CancelRequest.run(firing))).items();
        cancelled.complete(firing);
        started.await(
                "the report", all -> all.stream().anyMatch(one -> one.runId().startsWith("after-")));

        assertThat(asked.values()).hasSize(3).containsOnly(Result.ASKED);
        engines.events()
                .awaitAll(JobEvent.ItemCancelled.class, event -> event.runId().equals(firing), 3);
        assertThat(started.all())
                .filteredOn(one -> one.runId().equals(firing))
                .extracting(Started::attempt)
                .containsExactly(1, 1, 1);
    }

    @Test
    void aCommandWhoseProcessDiesInTheMiddleIsRepeatedByAnother() {
        JobAdmin bob =
                threeInstances(job -> job.shardingTotalCount(250), this::hang).by(Actor.named("bob"));
        CompletableFuture<RunOutcome> run = bob.run("orders", new RunRequest("hangs", ""));
        // Each instance claims its share at once, in the order of the items.
        started.await(
                "the run on each instance, with the first item",
                all -> all.stream().anyMatch(one -> one.is("hangs", 0))
                        && all.stream().map(Started::instance).distinct().count() == 3);
        JobAdmin dying = new RegistryJobAdmin(new DyingAfterOneCommit(engines.registry())).by(ALICE);

        assertThatThrownBy(() -> get(dying.cancel("orders", CancelRequest.run("hangs"))))
                .hasRootCauseInstanceOf(RegistryUnavailableException.class);
        Map<Integer, Result> repeated =
                get(bob.cancel("orders", CancelRequest.run("hangs"))).items();
        RunOutcome outcome = get(run);

        assertThat(repeated).hasSize(250);
        assertThat(repeated.values()).containsAnyOf(Result.ASKED, Result.CANCELLED);
        assertThat(outcome.items().values())
                .hasSize(250)
                .allSatisfy(item -> assertThat(item.end()).isIn(RunEnd.FAILED, RunEnd.DROPPED));
        assertThat(record(0).failure()).isEqualTo(CANCELLED);
        assertThat(record(249).cancelled()).isNotNull().extracting("actor").isEqualTo("bob");
    }

    // ------------------------------------------------------------------ what there is

    private static boolean isFiringAfter(String runId, Instant since) {
        return runId.startsWith("orders@")
                && Instant.parse(runId.substring("orders@".length())).isAfter(since);
    }

    private static Optional<String> firingOnAllItems(List<Started> all, Instant since) {
        return all.stream()
                .map(Started::runId)
                .filter(runId -> isFiringAfter(runId, since))
                .filter(runId ->
                        all.stream().filter(one -> one.runId().equals(runId)).count() == 3)
                .findFirst();
    }

    private interface Body {
        void run(String instance, ShardingContext context) throws Exception;
    }

    private JobAdmin threeInstances(
            UnaryOperator<JobDefinition.Builder> settings, Body body, JobDefinition... followers) {
        engines.add(released::countDown);
        JobDefinition job = settings.apply(
                        JobDefinition.builder("orders").cron("0 0 0 1 1 ?").shardingTotalCount(3))
                .build();
        int share = job.shardingTotalCount() / 3;
        for (String instance : List.of("a@-@1", "b@-@1", "c@-@1")) {
            ElasticJobEngine engine = engines.engine(instance);
            engine.register(job, context -> body.run(instance, context));
            for (JobDefinition follower : followers) {
                engine.register(follower, context -> tell(instance, context));
            }
            engine.start();
        }
        engines.events()
                .awaitThat(
                        "a share for each",
                        all -> EventLog.only(JobEvent.AssignmentChanged.class, all).stream()
                                        .filter(now -> now.jobName().equals("orders"))
                                        .collect(Collectors.toMap(
                                                JobEvent.AssignmentChanged::instance,
                                                now -> now.items().size(),
                                                (old, now) -> now))
                                        .values()
                                        .stream()
                                        .filter(items -> items >= share)
                                        .count()
                                == 3);
        return engines.add(new RegistryJobAdmin(engines.registry())).by(ALICE);
    }

    private void awaitStarts(String runId, int count) {
        started.await(
                count + " starts of " + runId,
                all -> all.stream().filter(one -> one.runId().equals(runId)).count() >= count);
    }

    private ItemRecord record(int item) {
        return get(engines.registry().read(List.of(RegistryRead.data(TREE.item(item)))))
                .node(TREE.item(item))
                .map(node -> ItemRecordCodec.read(TREE.item(item), node.data()))
                .orElseThrow();
    }
}
