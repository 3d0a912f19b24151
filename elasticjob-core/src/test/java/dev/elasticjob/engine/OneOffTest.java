package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.BackfillRequest;
import dev.elasticjob.admin.command.RunOutcome;
import dev.elasticjob.admin.command.RunOutcome.ItemEnd;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.admin.explain.Explanation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.definition.schedule.ScheduleKind;
import dev.elasticjob.job.RunEnd;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.ShardingContext.Requester;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.testing.ChangedRegistry;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs without a cron, runs with parameters, and the wait for their ends. */
class OneOffTest {
    private static final JobTree TREE = new JobTree("report");
    private static final JobDefinition REPORT =
            JobDefinition.builder("report").shardingTotalCount(2).build();

    private final SimulatedCluster cluster = new SimulatedCluster(3);
    private final RegistryJobAdmin admin = new RegistryJobAdmin(cluster.operator());
    private final List<String> runs = new ArrayList<>();
    private Consumer<ShardingContext> work = context -> {};

    @Test
    void itRunsWhenSomebodyAsksAndIsNotShownToToolsOfTwo() {
        start(REPORT, "a@-@1", "b@-@1");
        cluster.pass(Duration.ofDays(1));

        assertThat(runs).isEmpty();
        assertThat(cluster.read(TREE.config())).isEmpty();
        assertThat(cluster.get(admin.definition("report")))
                .isEqualTo(REPORT.toBuilder().build());
        var report =
                cluster.get(cluster.engine("a@-@1").inspector().job("report")).orElseThrow();
        assertThat(report.schedule().orElseThrow().kind()).isEqualTo(ScheduleKind.ON_REQUEST);
        assertThat(report.nextDueTime()).isEmpty();

        RunOutcome outcome = cluster.get(admin.run("report", RunRequest.create()));

        assertThat(outcome.isSuccessful()).isTrue();
        assertThat(runs).hasSize(2);
    }

    @Test
    void waitsForARequestAndHasNoPastTimes() {
        start(REPORT, "a@-@1");
        JobInspector inspector = cluster.engine("a@-@1").inspector();

        Explanation waits = cluster.get(inspector.explain("report", 0)).orElseThrow();

        assertThat(waits.verdict()).isEqualTo(Explanation.Verdict.WAITS);
        assertThat(waits.conditions().get(0).fact().text())
                .isEqualTo("The job has no schedule: it runs when somebody asks for a run");
        assertThatThrownBy(() -> cluster.get(admin.backfill(
                        "report", BackfillRequest.of(cluster.now().minusSeconds(60), cluster.now()))))
                .hasMessageContainingAll("because it has no schedule", "Trigger the job instead");
    }

    // ------------------------------------------------------------------ parameters

    @Test
    void everyItemHasTheParameterOfItsRun() {
        start(REPORT, "a@-@1", "b@-@1");

        cluster.get(admin.run("report", RunRequest.withParameter("2026-10")));
        cluster.get(admin.run("report", RunRequest.create()));

        assertThat(runs)
                .containsExactlyInAnyOrder(
                        "0:2026-10 attempt 1", "1:2026-10 attempt 1", "0: attempt 1", "1: attempt 1");
    }

    @Test
    void whoRequestedARunIsShownWithEachOfItsExecutions() {
        start(REPORT, "a@-@1");
        Requester alice = new Requester("alice", "month end");

        cluster.get(admin.by(Actor.named("alice").because("month end")).run("report", RunRequest.create()));
        var shown =
                cluster.get(cluster.engine("a@-@1").inspector().job("report")).orElseThrow();

        assertThat(shown.items())
                .extracting(item -> item.itemRecord().requester())
                .containsOnly(Optional.of(alice));
        assertThat(cluster.events())
                .filteredOn(JobEvent.ItemStarted.class::isInstance)
                .extracting(event -> ((JobEvent.ItemStarted) event).requester())
                .containsExactly(Optional.of(alice), Optional.of(alice));
        assertThat(cluster.events())
                .filteredOn(JobEvent.ItemFinished.class::isInstance)
                .extracting(event -> ((JobEvent.ItemFinished) event).requester())
                .containsExactly(Optional.of(alice), Optional.of(alice));
    }

    @Test
    void aRunIsLoggedInOneLineHoweverManyItemsItHas() {
        start(REPORT, "a@-@1");
        RunRequest run = RunRequest.create();

        try (var log = new LoggedLines()) {
            cluster.get(admin.by(Actor.named("alice").because("month end")).run("report", run));

            assertThat(log.all())
                    .containsExactlyInAnyOrder(
                            "INFO Job \"report\": \"alice\" carried out \"trigger run %s\": items [0-1] run. Reason: month end"
                                    .formatted(run.runId()),
                            "INFO Job \"report\": this instance starts items [0-1] of run \"%s\", which alice requested. Reason: month end"
                                    .formatted(run.runId()));
        }
    }

    @Test
    void theParameterOfTheLastRunIsShown() {
        start(REPORT, "a@-@1");
        JobInspector inspector = cluster.engine("a@-@1").inspector();

        cluster.get(admin.run("report", RunRequest.withParameter("2026-10")));
        var with = cluster.get(inspector.job("report")).orElseThrow();
        cluster.get(admin.run("report", RunRequest.create()));
        var without = cluster.get(inspector.job("report")).orElseThrow();

        assertThat(with.items())
                .extracting(item -> item.itemRecord().runParameter())
                .containsOnly(Optional.of("2026-10"));
        assertThat(without.items())
                .extracting(item -> item.itemRecord().runParameter())
                .containsOnly(Optional.empty());
    }

    @Test
    void aFiringHasNoParameterAlsoAfterARunThatHadOne() {
        start(REPORT.toBuilder().cron("10 * * * * ?").timeZone(ZoneOffset.UTC).build(), "a@-@1");

        cluster.get(admin.run("report", RunRequest.withParameter("2026-10")));
        cluster.pass(Duration.ofSeconds(11));

        assertThat(runs)
                .containsExactlyInAnyOrder(
                        "0:2026-10 attempt 1", "1:2026-10 attempt 1", "0: attempt 1", "1: attempt 1");
    }

    @Test
    void theAttemptOfAnotherInstanceHasTheParameterAndTheCallerHearsOfItsEnd() {
        JobDefinition one =
                REPORT.toBuilder().shardingTotalCount(1).failover(true).build();
        start(one, "a@-@1");
        start(one, "b@-@1");
        work = context -> {
            if (context.getAttempt() == 1) {
                String owner = cluster.read(TREE.running(0)).orElseThrow().text();
                cluster.expire(owner);
                cluster.pass(Duration.ofSeconds(30));
            }
        };

        RunOutcome outcome = cluster.get(admin.run("report", RunRequest.withParameter("2026-10")));

        assertThat(runs).containsExactly("0:2026-10 attempt 1", "0:2026-10 attempt 2");
        assertThat(outcome.isSuccessful()).isTrue();
    }

    @Test
    void requestsOfOneParameterAreAnsweredByOneExecution() {
        start(REPORT, "a@-@1");
        cluster.holdItems();
        cluster.get(admin.trigger("report", RunRequest.withParameter("2026-09")));
        settle();
        CompletableFuture<RunOutcome> one = admin.run("report", RunRequest.withParameter("2026-10"));
        CompletableFuture<RunOutcome> two = admin.run("report", RunRequest.withParameter("2026-10"));
        settle();

        cluster.letItemsBegin();

        assertThat(cluster.get(one).isSuccessful()).isTrue();
        assertThat(cluster.get(two).isSuccessful()).isTrue();
        assertThat(runs).filteredOn(run -> run.contains("2026-10")).hasSize(2);
    }

    @Test
    void whileARunWaitsOneWithAnotherParameterIsRefusedAndNothingOfItIsAskedFor() {
        start(REPORT, "a@-@1");
        cluster.holdItems();
        cluster.get(admin.trigger("report", new RunRequest("begun", "2026-09")));
        settle();
        // By hand for one item only: so it shows that none is asked for where one refuses.
        cluster.commit(RegistryCommit.builder()
                .create(TREE.trigger(1), "{\"runId\":\"waits\",\"parameter\":\"2026-10\"}")
                .set(TREE.triggers(), "[\"waits\"]", RegistryCommit.ANY_VERSION));
        settle();

        assertThatThrownBy(() -> cluster.get(admin.trigger("report", new RunRequest("late", "2026-11"))))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(
                        "\"late\"", "item 1", "\"waits\"", "another parameter", "Trigger it again once");
        assertThat(cluster.read(TREE.trigger(0))).isEmpty();

        cluster.letItemsBegin();
        settle();
        cluster.get(admin.run("report", new RunRequest("late", "2026-11")));
        assertThat(runs).contains("0:2026-11 attempt 1", "1:2026-11 attempt 1");
    }

    @Test
    void whoeverCantBeRememberedIsRefused() {
        start(REPORT, "a@-@1");
        cluster.holdItems();
        for (int i = 0; i <= 16; i++) {
            cluster.get(admin.trigger("report", "r" + i));
            settle();
        }

        assertThatThrownBy(() -> cluster.get(admin.trigger("report", "r17")))
                .hasMessageContaining("already answers 16 requests");
    }

    /** The one that could not begin goes first, with its own parameter; the other one is not lost either. */
    @ParameterizedTest
    @ValueSource(strings = {"2026-10", "2026-11"})
    void aRunThatCouldNotBeginAndOneThatWasAskedForMeanwhileBothRun(String meanwhile) {
        JobDefinition one = REPORT.toBuilder().shardingTotalCount(1).build();
        start(one, "a@-@1");
        cluster.holdItems();
        CompletableFuture<RunOutcome> first = admin.run("report", new RunRequest("first", "2026-10"));
        settle();
        CompletableFuture<RunOutcome> second = admin.run("report", new RunRequest("second", meanwhile));
        settle();
        cluster.stop("a@-@1");
        settle();
        cluster.letItemsBegin();
        settle();
        assertThat(runs).isEmpty();

        start(one, "b@-@1");

        assertThat(cluster.get(first).isSuccessful()).isTrue();
        assertThat(cluster.get(second).isSuccessful()).isTrue();
        List<String> expected = meanwhile.equals("2026-10")
                ? List.of("0:2026-10 attempt 1")
                : List.of("0:2026-10 attempt 1", "0:2026-11 attempt 1");
        assertThat(runs).isEqualTo(expected);
        assertThat(cluster.read(TREE.trigger(0))).isEmpty();
    }

    @Test
    void withoutMonitoringTooBothRun() {
        JobDefinition unmonitored = REPORT.toBuilder()
                .cron("0 0 0 1 1 ?")
                .monitorExecution(false)
                .shardingTotalCount(1)
                .build();
        start(unmonitored, "a@-@1");
        cluster.commit(
                RegistryCommit.builder()
                        .create(
                                TREE.trigger(0),
                                "{\"runId\":\"one\",\"parameter\":\"A\",\"behind\":[{\"runId\":\"two\",\"parameter\":\"B\"}]}"));

        cluster.get(admin.trigger("report", new RunRequest("three", "B")));
        settle();

        assertThat(runs).containsExactly("0:A attempt 1", "0:B attempt 1");
        assertThat(cluster.read(TREE.trigger(0))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0000b", "two\nlines"})
    void aParameterIsALine(String parameter) {
        assertThatThrownBy(() -> RunRequest.withParameter(parameter)).hasMessageContaining("no control characters");
    }

    @Test
    void aParameterIsAsLongAsARecordCanHoldIt() {
        assertThat(RunRequest.withParameter("é".repeat(256)).parameter()).hasSize(256);
        assertThatThrownBy(() -> RunRequest.withParameter("é".repeat(257)))
                .hasMessageContainingAll("at most 512 bytes", "514 bytes");
    }

    // ------------------------------------------------------------------ ends

    @Test
    void theCallerHearsHowEachItemHasEnded() {
        start(REPORT.toBuilder().shardingTotalCount(3).build(), "a@-@1", "b@-@1");
        cluster.get(admin.disableItem("report", 2));
        work = context -> {
            if (context.getShardingItem() == 1) {
                throw new IllegalStateException("no data");
            }
        };

        RunOutcome outcome = cluster.get(admin.run("report", RunRequest.create()));

        assertThat(outcome.items().get(0).end()).isEqualTo(RunEnd.COMPLETED);
        assertThat(outcome.items().get(1).end()).isEqualTo(RunEnd.FAILED);
        assertThat(outcome.items().get(1).failure())
                .hasValueSatisfying(text -> assertThat(text).contains("no data"));
        assertThat(outcome.disabled()).containsExactly(2);
        assertThat(outcome.isSuccessful()).isFalse();
    }

    @Test
    void whatIsDroppedWhileItWaitsHasEnded() {
        start(REPORT, "a@-@1");
        cluster.holdItems();
        cluster.get(admin.trigger("report", "first"));
        settle();
        CompletableFuture<RunOutcome> second = admin.run("report", new RunRequest("second", ""));
        settle();
        cluster.get(admin.disableItem("report", 0));

        cluster.letItemsBegin();

        assertThat(ends(second)).containsExactly(RunEnd.DROPPED, RunEnd.COMPLETED);
    }

    @Test
    void aSeventeenthRequestOfAToolIsAnsweredWithTheOthersAndPushesNobodyOut() {
        start(REPORT, "a@-@1");
        cluster.holdItems();
        cluster.get(admin.trigger("report", "first"));
        settle();
        List<CompletableFuture<RunOutcome>> sixteen = IntStream.rangeClosed(1, 16)
                .mapToObj(i -> admin.run("report", new RunRequest("r" + i, "")))
                .toList();
        settle();
        cluster.commit(RegistryCommit.builder().set(TREE.instance("a@-@1"), "TRIGGER", RegistryCommit.ANY_VERSION));
        settle();

        cluster.letItemsBegin();
        settle();

        assertThat(sixteen).allSatisfy(outcome -> assertThat(ends(outcome)).containsOnly(RunEnd.COMPLETED));
        assertThat(runs).as("the first, and one for all others").hasSize(4);
    }

    @Test
    void whatIsInterruptedWithFailoverOffHasEnded() {
        start(REPORT.toBuilder().shardingTotalCount(1).build(), "a@-@1");
        work = context -> {
            cluster.expire(cluster.read(TREE.running(0)).orElseThrow().text());
            cluster.pass(Duration.ofSeconds(30));
            throw new IllegalStateException("cut off");
        };
        start(REPORT.toBuilder().shardingTotalCount(1).build(), "b@-@1");

        CompletableFuture<RunOutcome> outcome = admin.run("report", RunRequest.create());

        assertThat(ends(outcome)).containsExactly(RunEnd.INTERRUPTED);
    }

    @Test
    void runsBackToBackKeepTheirEndsForWhoeverAsksLater() {
        start(REPORT, "a@-@1", "b@-@1");
        for (String run : List.of("r1", "r2", "r3", "r4")) {
            work = context -> {
                if (run.equals("r2")) {
                    throw new IllegalStateException("no data");
                }
            };
            cluster.get(admin.run("report", new RunRequest(run, "")));
        }

        assertThat(ends(admin.run("report", new RunRequest("r4", "")))).containsOnly(RunEnd.COMPLETED);
        assertThat(ends(admin.run("report", new RunRequest("r2", "")))).containsOnly(RunEnd.FAILED);
        assertThat(ends(admin.run("report", new RunRequest("r1", "")))).containsOnly(RunEnd.OVERTAKEN);
        assertThat(runs).hasSize(8);
    }

    @Test
    void theItemsThatAreRemovedHaveEnded() {
        start(REPORT, "a@-@1");
        cluster.holdItems();
        cluster.get(admin.trigger("report", "first"));
        settle();
        CompletableFuture<RunOutcome> second = admin.run("report", new RunRequest("second", ""));
        settle();
        cluster.get(admin.redefine(
                "report", job -> job.toBuilder().shardingTotalCount(1).build()));

        cluster.letItemsBegin();

        assertThat(ends(second)).containsExactly(RunEnd.COMPLETED, RunEnd.OVERTAKEN);
    }

    @Test
    void theWaitOutlivesTheSessionOfWhoeverWaits() {
        start(REPORT, "a@-@1", "b@-@1");
        cluster.holdItems();
        JobAdmin ofA = cluster.engine("a@-@1").admin();
        CompletableFuture<RunOutcome> outcome = ofA.run("report", RunRequest.create());
        settle();
        cluster.expire("a@-@1");
        settle();

        cluster.letItemsBegin();

        assertThat(cluster.get(outcome).items()).hasSize(2);
    }

    @Test
    void whatEndedWithoutAConnectionIsHeardOfWhenThereIsOneAgain() {
        start(REPORT, "a@-@1");
        cluster.holdItems();
        DeafRegistry deaf = new DeafRegistry(cluster.operator());
        CompletableFuture<RunOutcome> outcome = new RegistryJobAdmin(deaf).run("report", RunRequest.create());
        settle();
        cluster.letItemsBegin();
        settle();
        assertThat(outcome).as("what happened meanwhile, nobody tells").isNotDone();

        deaf.reconnects();

        assertThat(ends(outcome)).containsOnly(RunEnd.COMPLETED);
    }

    @Test
    void theRemovalOfTheJobEndsTheWait() {
        start(REPORT, "a@-@1");
        cluster.holdItems();
        CompletableFuture<RunOutcome> outcome = admin.run("report", RunRequest.create());
        settle();

        admin.remove("report");
        settle();

        assertThat(outcome).isCompletedExceptionally();
        assertThatThrownBy(outcome::join).hasMessageContaining("the job was removed");
    }

    @Test
    void theEndOfTheAdminEndsTheWaitAndNotTheRun() {
        start(REPORT, "a@-@1");
        cluster.holdItems();
        CompletableFuture<RunOutcome> outcome = admin.run("report", RunRequest.create());
        settle();

        admin.close();
        cluster.letItemsBegin();
        settle();

        assertThatThrownBy(outcome::join).hasMessageContaining("is closed");
        assertThat(runs).hasSize(2);
    }

    @Test
    void whoGivesUpLeavesNoWatchBehindAndTheRunGoesOn() {
        start(REPORT, "a@-@1");
        cluster.holdItems();
        WatchCount watched = new WatchCount(cluster.operator());
        CompletableFuture<RunOutcome> outcome = new RegistryJobAdmin(watched).run("report", RunRequest.create());
        settle();
        assertThat(watched.open()).isPositive();

        outcome.cancel(true);
        assertThat(watched.open()).isZero();
        cluster.letItemsBegin();
        settle();

        assertThat(runs).hasSize(2);
    }

    @Test
    void whatIsOverIsWatchedNoMore() {
        start(REPORT, "a@-@1");
        WatchCount watched = new WatchCount(cluster.operator());

        cluster.get(new RegistryJobAdmin(watched).run("report", RunRequest.create()));

        assertThat(watched.most()).isPositive();
        assertThat(watched.open()).isZero();
    }

    @Test
    void aRunCanBeAwaitedThoughFiringsAreNotRecorded() {
        start(REPORT.toBuilder().cron("0 0 0 1 1 ?").monitorExecution(false).build(), "a@-@1");
        List<Long> tokens = new ArrayList<>();
        work = context -> tokens.add(context.getFencingToken());

        RunOutcome outcome = cluster.get(admin.run("report", RunRequest.withParameter("2026-10")));

        assertThat(outcome.isSuccessful()).isTrue();
        assertThat(runs).containsExactlyInAnyOrder("0:2026-10 attempt 1", "1:2026-10 attempt 1");
        assertThat(tokens).hasSize(2).doesNotContain(0L);
        assertThat(cluster.read(TREE.item(0)).orElseThrow().text()).contains("COMPLETED", "2026-10");
        assertThat(cluster.read(TREE.running(0))).isEmpty();
    }

    @Test
    void aRunOfAJobWhoseFiringsAreNotRecordedIsInterruptedByTheEndOfItsInstance() {
        start(
                REPORT.toBuilder()
                        .cron("0 0 0 1 1 ?")
                        .monitorExecution(false)
                        .shardingTotalCount(1)
                        .build(),
                "a@-@1");
        cluster.commit(RegistryCommit.builder()
                .set(
                        TREE.item(0),
                        "{\"state\":\"RUNNING\",\"instance\":\"dead@-@1\",\"runId\":\"r1\",\"attempt\":1,"
                                + "\"startedAt\":\"2026-02-28T00:00:00Z\"}",
                        RegistryCommit.ANY_VERSION)
                .create(TREE.trigger(0), "{\"runId\":\"r2\"}"));

        RunOutcome outcome = cluster.get(admin.run("report", new RunRequest("r1", "")));
        cluster.get(admin.run("report", new RunRequest("r2", "")));

        assertThat(outcome.items().values()).extracting(ItemEnd::end).containsExactly(RunEnd.INTERRUPTED);
        assertThat(runs).containsExactly("0: attempt 1");
        assertThat(cluster.events().stream().filter(JobEvent.FiringsLost.class::isInstance))
                .as("the interrupted run is passed over")
                .hasSize(1);
    }

    @Test
    void aRunThatIsAwaitedEndsThoughItsJobIsNotMonitoredAnyMore() {
        start(REPORT.toBuilder().cron("0 0 0 1 1 ?").build(), "a@-@1");
        cluster.holdItems();
        CompletableFuture<RunOutcome> outcome = admin.run("report", RunRequest.create());
        settle();

        admin.redefine("report", job -> job.toBuilder().monitorExecution(false).build());
        settle();

        assertThat(outcome).isNotDone();
        cluster.letItemsBegin();
        settle();
        assertThat(cluster.get(outcome).isSuccessful()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoAwaitsARunIsAnsweredThoughMonitoringGoesOffAndOn(boolean busy) {
        for (int seed = 1; seed <= 40; seed++) {
            SimulatedCluster other = new SimulatedCluster(seed);
            RegistryJobAdmin operator = new RegistryJobAdmin(other.operator());
            JobDefinition yearly = REPORT.toBuilder()
                    .cron("0 0 0 1 1 ?")
                    .failover(seed % 2 == 0)
                    .build();
            other.start("a@-@1", yearly, context -> {}, UnaryOperator.identity());
            other.start("b@-@1", yearly, context -> {}, UnaryOperator.identity());
            other.pass(Duration.ofSeconds(1));
            if (busy) {
                other.holdItems();
                other.get(operator.trigger("report", "first"));
            }

            CompletableFuture<RunOutcome> outcome = operator.run("report", RunRequest.create());
            other.pass(Duration.ofMillis(seed % 7));
            other.commit(switched(other, false));
            other.pass(Duration.ofMillis(seed % 3));
            other.commit(switched(other, true));
            if (busy) {
                other.letItemsBegin();
            }
            other.pass(Duration.ofSeconds(5));

            assertThat(outcome).as("seed %d: %s", seed, other.trace()).isDone();
            assertThat(outcome.join().isSuccessful())
                    .as("seed %d: %s, %s", seed, outcome.join(), other.trace())
                    .isTrue();
        }
    }

    private static RegistryCommit.Builder switched(SimulatedCluster cluster, boolean monitored) {
        byte[] stored = cluster.read(TREE.config()).orElseThrow().data();
        JobDefinitionCodec codec = new JobDefinitionCodec();
        JobDefinition next = codec
                .decode("report", stored, cluster.read(TREE.extension()).map(RegistryNode::data))
                .definition()
                .toBuilder()
                .failover(false)
                .monitorExecution(monitored)
                .build();
        return RegistryCommit.builder()
                .set(TREE.config(), codec.config(next, Optional.of(stored)), RegistryCommit.ANY_VERSION);
    }

    // ------------------------------------------------------------------ at start

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void instancesThatStartTogetherMakeOneRunAndThoseThatComeLaterNone(int seed) {
        SimulatedCluster other = new SimulatedCluster(seed);
        JobDefinition atStart = REPORT.toBuilder().runAtStart(true).build();
        for (String instance : List.of("a@-@1", "b@-@1", "c@-@1")) {
            other.start(instance, atStart, this::run, UnaryOperator.identity());
        }
        other.pass(Duration.ofSeconds(2));

        other.start("d@-@1", atStart, this::run, UnaryOperator.identity());
        other.pass(Duration.ofSeconds(2));
        for (String instance : List.of("a@-@1", "b@-@1", "c@-@1")) {
            other.stop(instance);
            other.pass(Duration.ofSeconds(2));
        }
        assertThat(runs).as("a rolling restart").hasSize(2);

        other.stop("d@-@1");
        other.pass(Duration.ofSeconds(2));
        other.start("e@-@1", atStart, this::run, UnaryOperator.identity());
        other.pass(Duration.ofSeconds(2));
        assertThat(runs).as("after all were down").hasSize(4);
    }

    /** Each has met nobody when it joined; the first comes back in a new session, and is not the oldest any more. */
    @ParameterizedTest
    @ValueSource(ints = {8, 10, 12, 14, 16, 18, 20, 22})
    void anInstanceThatLosesItsSessionWhileItJoinsMakesNoSecondRun(int steps) {
        JobDefinition atStart = REPORT.toBuilder().runAtStart(true).build();
        cluster.start("a@-@1", atStart, this::run, UnaryOperator.identity());
        cluster.steps(steps);
        cluster.expire("a@-@1");

        start(atStart, "b@-@1");
        cluster.pass(Duration.ofSeconds(30));

        assertThat(runs).hasSizeLessThanOrEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {12, 14, 16, 18, 20, 22, 24, 26})
    void anInstanceThatHasMetAnotherIsNotTheFirstThoughTheOtherLosesItsSession(int steps) {
        JobDefinition atStart = REPORT.toBuilder().runAtStart(true).build();
        start(atStart, "a@-@1");
        cluster.start("b@-@1", atStart, this::run, UnaryOperator.identity());
        cluster.steps(steps);
        cluster.expire("a@-@1");

        cluster.pass(Duration.ofSeconds(30));

        assertThat(runs).hasSize(2);
    }

    @Test
    void aNewSessionIsNoStart() {
        start(REPORT.toBuilder().runAtStart(true).build(), "a@-@1");

        cluster.expire("a@-@1");
        cluster.pass(Duration.ofSeconds(30));

        assertThat(runs).hasSize(2);
    }

    // ------------------------------------------------------------------ with and without a cron

    @Test
    void anOperatorCantMakeAOneOffJobOfAnother() {
        start(REPORT, "a@-@1");

        assertThatThrownBy(() -> cluster.get(admin.redefine(
                        "report", job -> job.toBuilder().cron("0 * * * * ?").build())))
                .hasRootCauseInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("overwrite=true");
    }

    @Test
    void anApplicationThatOverwritesCanAndOthersFollow() {
        JobDefinition scheduled = REPORT.toBuilder()
                .cron("0/10 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .build();
        start(scheduled, "a@-@1");
        cluster.pass(Duration.ofSeconds(10));
        assertThat(runs).hasSize(2);

        start(REPORT.toBuilder().overwrite(true).build(), "b@-@1");
        runs.clear();
        cluster.pass(Duration.ofMinutes(1));
        assertThat(runs).as("without a cron").isEmpty();
        assertThat(cluster.get(admin.run("report", RunRequest.create())).isSuccessful())
                .isTrue();

        start(scheduled.toBuilder().overwrite(true).build(), "c@-@1");
        runs.clear();
        cluster.pass(Duration.ofSeconds(20));
        assertThat(runs).as("with a cron again").hasSize(4);
        assertThat(lost()).isEmpty();
    }

    private List<JobEvent> lost() {
        return cluster.events().stream()
                .filter(event -> event instanceof JobEvent.FiringsLost || event instanceof JobEvent.ManualRunDropped)
                .toList();
    }

    private Iterable<RunEnd> ends(CompletableFuture<RunOutcome> outcome) {
        return cluster.get(outcome).items().values().stream().map(ItemEnd::end).toList();
    }

    private void start(JobDefinition definition, String... instances) {
        for (String instance : instances) {
            cluster.start(instance, definition, this::run, UnaryOperator.identity());
        }
        cluster.pass(Duration.ofSeconds(1));
    }

    private void run(ShardingContext context) {
        runs.add(context.getShardingItem() + ":" + context.getRunParameter() + " attempt " + context.getAttempt());
        work.accept(context);
    }

    private void settle() {
        cluster.pass(Duration.ofSeconds(1));
    }

    /** Its client has no connection for a while, and hears no event of that time. */
    private static final class DeafRegistry extends ChangedRegistry {
        private final List<Consumer<ConnectionState>> listeners = new ArrayList<>();

        DeafRegistry(Registry registry) {
            super(registry);
        }

        @Override
        public Subscription watch(String path, WatchScope scope, Runnable lookAgain) {
            return () -> {};
        }

        @Override
        public Subscription onConnectionState(Consumer<ConnectionState> listener) {
            listeners.add(listener);
            return () -> listeners.remove(listener);
        }

        void reconnects() {
            List.copyOf(listeners).forEach(each -> each.accept(ConnectionState.RECONNECTED));
        }
    }
}
