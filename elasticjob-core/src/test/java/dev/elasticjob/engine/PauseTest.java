package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.admin.command.DrainAnswer;
import dev.elasticjob.admin.command.PauseAnswer;
import dev.elasticjob.admin.command.PausedBy;
import dev.elasticjob.admin.command.PausedBy.Scope;
import dev.elasticjob.admin.command.RunOutcome;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.admin.command.TriggerAnswer;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.SimulatedCluster.Execution;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators pause and resume a job or the namespace, and drain instances. The job is due at 10 s past each minute. */
class PauseTest {
    private static final JobTree TREE = new JobTree("orders");
    private static final Actor ALICE = Actor.named("alice").because("broken data");
    private static final Actor BOB = Actor.named("bob");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int ANY = RegistryCommit.ANY_VERSION;

    private final SimulatedCluster cluster = new SimulatedCluster(5);
    private final RegistryJobAdmin admin =
            new RegistryJobAdmin(cluster.operator(), new CommandLog(event -> {}, Actor.UNKNOWN), cluster.timer());

    // ------------------------------------------------------------------ a job

    @Test
    void aPausedJobStartsNothingAndRunsItsNextFiringOnceItIsResumed() {
        start("a@-@1", "b@-@1");

        PauseAnswer paused = cluster.get(admin.by(ALICE).pause("orders"));
        Instant since = cluster.now();
        List<JobState> states = states("a@-@1", "b@-@1");
        cluster.pass(MINUTE.multipliedBy(3));
        int meanwhile = cluster.executions().size();
        PauseAnswer resumed = cluster.get(admin.by(BOB).resume("orders"));
        Instant until = cluster.now();
        cluster.pass(MINUTE);

        assertThat(paused.changed()).isTrue();
        assertThat(paused.inForce()).isTrue();
        assertThat(paused.paused().orElseThrow().toString())
                .startsWith("paused by alice since 2026-")
                .endsWith(" (broken data)");
        assertThat(paused.paused().orElseThrow().since()).isBetween(since.minusSeconds(1), since);
        assertThat(states).containsOnly(JobState.PAUSED);
        assertThat(meanwhile).isZero();
        assertThat(resumed).isEqualTo(new PauseAnswer(true, resumed.notYet(), java.util.Optional.empty()));
        assertThat(cluster.executions())
                .hasSize(3)
                .allSatisfy(execution -> assertThat(execution.scheduledAt()).isAfter(until));
        assertThat(cluster.events())
                .noneMatch(event -> event instanceof JobEvent.FiringsFolded || event instanceof JobEvent.FiringsLost);
        assertThat(states("a@-@1", "b@-@1")).containsOnly(JobState.ACTIVE);
    }

    @Test
    void pausingTwiceChangesNothingAndSaysWhoWasFirst() {
        start("a@-@1");
        cluster.get(admin.by(ALICE).pause("orders"));

        PauseAnswer again = cluster.get(admin.by(BOB).pause("orders"));
        boolean ended = cluster.get(admin.by(BOB).resume("orders")).changed();
        boolean endedAgain = cluster.get(admin.by(BOB).resume("orders")).changed();

        assertThat(again.changed()).isFalse();
        assertThat(again.paused()).map(PausedBy::actor).contains("alice");
        assertThat(List.of(ended, endedAgain)).containsExactly(true, false);
    }

    @Test
    void whatWasDueBeforeThePauseIsOwedAfterIt() {
        List<Runnable> atOnce = new ArrayList<>();
        atOnce.add(() -> cluster.pass(MINUTE.multipliedBy(1).plusSeconds(5)));
        cluster.start(
                "a@-@1",
                definition(),
                context -> {
                    executed.add(context.getShardingItem() + " for " + context.getScheduledTime());
                    if (context.getShardingItem() == 0 && !atOnce.isEmpty()) {
                        atOnce.remove(0).run();
                        admin.by(ALICE).pause("orders");
                        cluster.pass(MINUTE);
                    }
                },
                UnaryOperator.identity());
        cluster.pass(Duration.ofSeconds(70));
        int before = executed.size();

        cluster.pass(MINUTE.multipliedBy(2));
        int inThePause = executed.size() - before;
        cluster.get(admin.by(ALICE).resume("orders"));
        cluster.pass(Duration.ofSeconds(2));

        String firing = executed.get(0).substring("0 for ".length());
        Instant next = Instant.parse(firing).plus(MINUTE);
        assertThat(inThePause).isZero();
        assertThat(executed).contains("0 for " + next).last().isEqualTo("0 for " + next);
    }

    private final List<String> executed = new ArrayList<>();

    @Test
    void aPauseThatNobodyLeadsInHoldsForWhoComesLater() {
        start("a@-@1");
        cluster.stop("a@-@1");
        cluster.pass(Duration.ofSeconds(2));

        PauseAnswer paused = cluster.get(admin.by(ALICE).pause("orders"));
        boolean atOnce = paused.inForce();
        start("a@-@1");
        cluster.pass(MINUTE.multipliedBy(2));

        assertThat(atOnce).isTrue();
        assertThat(cluster.executions()).isEmpty();
    }

    @Test
    void whatFellDueInAPauseWithoutAnyInstanceIsNotRunLater() {
        start("a@-@1");
        cluster.stop("a@-@1");
        cluster.pass(Duration.ofSeconds(2));

        cluster.get(admin.by(ALICE).pause("orders"));
        cluster.pass(MINUTE.multipliedBy(2));
        cluster.get(admin.by(ALICE).resume("orders"));
        cluster.get(admin.by(ALICE).pause("orders"));
        cluster.pass(MINUTE);
        cluster.get(admin.by(ALICE).resume("orders"));
        Instant resumed = cluster.now();
        start("a@-@1");
        cluster.pass(MINUTE);

        assertThat(cluster.executions())
                .hasSize(3)
                .allSatisfy(execution -> assertThat(execution.scheduledAt()).isAfter(resumed));
    }

    /** The leader sees only that it is over; an instance that has seen the pause goes on all the same. */
    @Test
    void aPauseThatNoPlanWasMadeForStopsNobodyForGood() {
        start("a@-@1", "b@-@1");

        cluster.commit(RegistryCommit.builder().create(TREE.paused(), "").set(TREE.triggers(), "[]", ANY));
        cluster.steps(25);
        cluster.commit(RegistryCommit.builder().delete(TREE.paused(), ANY));
        cluster.pass(MINUTE);

        assertThat(cluster.executions()).hasSize(3);
        assertThat(states("a@-@1", "b@-@1")).containsOnly(JobState.ACTIVE);
    }

    @Test
    void aNodeWrittenByHandPausesAndANodeDeletedByHandResumes() {
        start("a@-@1");

        cluster.commit(
                RegistryCommit.builder().create(TREE.paused(), "ask carol").create(TREE.necessary()));
        cluster.pass(MINUTE.multipliedBy(2));
        int meanwhile = cluster.executions().size();
        PauseAnswer seen = cluster.get(admin.by(BOB).pause("orders"));
        cluster.commit(RegistryCommit.builder().delete(TREE.paused(), ANY));
        cluster.pass(MINUTE);

        assertThat(meanwhile).isZero();
        assertThat(seen.changed()).isFalse();
        assertThat(seen.paused().orElseThrow().toString())
                .contains("by an unknown person")
                .endsWith("(ask carol)");
        assertThat(cluster.executions()).hasSizeGreaterThanOrEqualTo(3);
    }

    @Test
    void manualRunsAreRefusedAndThoseThatWaitGoOnWaiting() {
        cluster.holdItems();
        start("a@-@1");
        cluster.get(admin.trigger("orders", "before"));
        cluster.settle();

        cluster.get(admin.by(ALICE).pause("orders"));
        cluster.pass(MINUTE);
        assertThatThrownBy(() -> cluster.get(admin.trigger("orders", "meanwhile")))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Job \"orders\" can't run now, because it is paused by alice since")
                .hasMessageContaining("(broken data). Resume it, then trigger the run again");
        cluster.letItemsBegin();
        cluster.pass(MINUTE);
        int meanwhile = cluster.executions().size();
        cluster.get(admin.by(ALICE).resume("orders"));
        cluster.pass(Duration.ofSeconds(2));

        assertThat(meanwhile).isZero();
        assertThat(cluster.executions()).extracting(Execution::runId).containsOnly("before");
    }

    @Test
    void anUnknownJobIsSaid() {
        start("a@-@1");

        for (var command :
                List.of(admin.by(ALICE).pause("nothing"), admin.by(ALICE).resume("nothing"))) {
            assertThatThrownBy(() -> cluster.get(command))
                    .hasRootCauseInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no job \"nothing\"");
        }
        assertThat(cluster.tree()).doesNotContain("/nothing");
    }

    @Test
    void aPauseThatNoLeaderAnswersIsSaidNotToBeInForce() {
        start("a@-@1");
        cluster.stop("a@-@1");
        cluster.pass(Duration.ofSeconds(2));
        // It owns the items of the plan in force, and never answers.
        cluster.commit(
                RegistryCommit.builder().createEphemeral(TREE.instance("a@-@1"), "{\"jobInstanceId\":\"a@-@1\"}"));

        PauseAnswer asked = cluster.get(admin.by(ALICE).pause("orders"));

        assertThat(asked.changed()).isTrue();
        assertThat(asked.notYet()).containsExactly("orders");
        assertThat(asked.paused()).isPresent();
    }

    @Test
    void aRunThatWasRequestedBeforeThePauseMayBeRequestedAgain() {
        cluster.holdItems();
        start("a@-@1");
        cluster.get(admin.trigger("orders", "before"));
        cluster.get(admin.by(ALICE).pause("orders"));

        TriggerAnswer again = cluster.get(admin.trigger("orders", "before"));
        CompletableFuture<RunOutcome> awaited = admin.run("orders", new RunRequest("before", ""));
        cluster.pass(MINUTE);
        boolean endedInThePause = awaited.isDone();
        cluster.letItemsBegin();
        cluster.get(admin.by(ALICE).resume("orders"));
        cluster.pass(MINUTE);

        assertThat(again.runId()).isEqualTo("before");
        assertThat(endedInThePause).isFalse();
        assertThat(awaited).isCompletedWithValueMatching(RunOutcome::isSuccessful);
    }

    @Test
    void whoeverWaitsForAPauseOrADrainHearsThatTheEngineIsClosed() {
        start("a@-@1", "b@-@1");
        cluster.stop("b@-@1");
        cluster.pass(Duration.ofSeconds(2));
        cluster.stop("a@-@1");
        cluster.pass(Duration.ofSeconds(2));
        // It owns the items of the plan in force, and never answers.
        cluster.commit(
                RegistryCommit.builder().createEphemeral(TREE.instance("a@-@1"), "{\"jobInstanceId\":\"a@-@1\"}"));
        var pause = admin.by(ALICE).pause("orders").toCompletableFuture();
        var pauseAll = admin.by(ALICE).pauseAll().toCompletableFuture();
        var drain = admin.by(ALICE).drain("orders", "a@-@1").toCompletableFuture();
        cluster.settle();
        boolean before = pause.isDone() || pauseAll.isDone() || drain.isDone();

        admin.close();
        cluster.settle();
        var late = admin.by(BOB).pause("orders").toCompletableFuture();
        cluster.settle();

        assertThat(before).isFalse();
        assertThat(pause).isCompletedWithValueMatching(answer -> answer.changed() && !answer.inForce());
        assertThat(pauseAll)
                .isCompletedWithValueMatching(answer -> answer.notYet().equals(Set.of("orders")));
        assertThat(drain).isCompletedWithValue(new DrainAnswer(true, false));
        assertThat(late).isCompletedWithValueMatching(answer -> !answer.inForce());
    }

    // ------------------------------------------------------------------ the namespace

    @Test
    void theNamespaceIsPausedBesideItsJobs() {
        start("a@-@1", "b@-@1");

        PauseAnswer all = cluster.get(admin.by(ALICE).pauseAll());
        cluster.get(admin.by(BOB).pause("orders"));
        cluster.pass(MINUTE);
        PauseAnswer still = cluster.get(admin.by(BOB).resume("orders"));
        cluster.pass(MINUTE);
        int meanwhile = cluster.executions().size();
        PauseAnswer over = cluster.get(admin.by(ALICE).resumeAll());
        cluster.pass(MINUTE);

        assertThat(all.changed()).isTrue();
        assertThat(all.inForce()).isTrue();
        assertThat(still.paused()).map(PausedBy::scope).contains(Scope.NAMESPACE);
        assertThat(meanwhile).isZero();
        assertThat(over.paused()).isEmpty();
        assertThat(cluster.executions()).hasSize(3);
    }

    @Test
    void anInstanceThatStartsInAPausedNamespaceStartsNothing() {
        start("a@-@1");
        cluster.get(admin.by(ALICE).pauseAll());
        boolean again = cluster.get(admin.by(BOB).pauseAll()).changed();

        start("b@-@1");
        cluster.stop("a@-@1");
        cluster.pass(MINUTE.multipliedBy(2));

        assertThat(again).isFalse();
        assertThat(states("b@-@1")).containsExactly(JobState.PAUSED);
        assertThat(cluster.executions()).isEmpty();
    }

    // ------------------------------------------------------------------ drains

    @Test
    void aDrainedInstanceStartsNothingUntilThatIsUndone() {
        start("a@-@1", "b@-@1");

        DrainAnswer drained = cluster.get(admin.by(ALICE).drain("orders", "a@-@1"));
        boolean again = cluster.get(admin.by(BOB).drain("orders", "a@-@1")).changed();
        List<JobState> states = states("a@-@1", "b@-@1");
        cluster.pass(MINUTE);
        var whileDrained = instances();
        boolean undone = cluster.get(admin.by(ALICE).undrain("orders", "a@-@1")).changed();
        cluster.pass(MINUTE);

        assertThat(drained).isEqualTo(new DrainAnswer(true, true));
        assertThat(again).isFalse();
        assertThat(undone).isTrue();
        assertThat(states).containsExactly(JobState.DRAINED, JobState.ACTIVE);
        assertThat(whileDrained).hasSize(3).containsOnly("b@-@1");
        assertThat(instances().subList(3, 6)).contains("a@-@1");
        assertThat(states("a@-@1")).containsExactly(JobState.ACTIVE);
    }

    @Test
    void whatRunsOnADrainedInstanceRunsOn() {
        List<Boolean> locked = new ArrayList<>();
        cluster.start(
                "a@-@1",
                definition(),
                context -> {
                    if (context.getShardingItem() == 0) {
                        admin.by(ALICE).drain("orders", "a@-@1");
                        cluster.settle();
                        locked.add(cluster.read(TREE.running(0)).isPresent());
                    }
                },
                UnaryOperator.identity());
        cluster.pass(Duration.ofSeconds(12));

        assertThat(locked).containsExactly(true);
        assertThat(cluster.read(TREE.item(0)).orElseThrow().text()).contains("COMPLETED");
        assertThat(cluster.read(TREE.instance("a@-@1"))).isPresent();
    }

    @Test
    void aDrainOutlivesTheSessionButNotTheProcess() {
        start("a@-@1", "b@-@1");
        cluster.get(admin.by(ALICE).drain("orders", "a@-@1"));

        cluster.expire("a@-@1");
        cluster.pass(MINUTE);
        var inTheNextSession = instances();
        List<JobState> states = states("a@-@1");
        cluster.stop("a@-@1");
        cluster.pass(Duration.ofSeconds(2));
        start("a@-@1");
        cluster.pass(MINUTE);

        assertThat(states).containsExactly(JobState.DRAINED);
        assertThat(inTheNextSession).hasSize(3).containsOnly("b@-@1");
        assertThat(cluster.read(TREE.drain("a@-@1"))).isEmpty();
        assertThat(instances().subList(3, 6)).contains("a@-@1");
    }

    @Test
    void whatComesDueWhileTheLastInstanceIsDrainedIsOwed() {
        start("a@-@1");

        cluster.get(admin.by(ALICE).drain("orders", "a@-@1"));
        cluster.pass(MINUTE.plusSeconds(2));
        int meanwhile = cluster.executions().size();
        cluster.get(admin.by(ALICE).undrain("orders", "a@-@1"));
        cluster.pass(Duration.ofSeconds(1));

        assertThat(meanwhile).isZero();
        assertThat(cluster.executions()).hasSize(3);
    }

    @Test
    void anInstanceIsDrainedOutOfAllItsJobs() {
        start("a@-@1", "b@-@1");

        var drained = cluster.get(admin.by(ALICE).drainAll("a@-@1"));
        cluster.pass(MINUTE);
        var undrained = cluster.get(admin.by(ALICE).undrainAll("a@-@1"));

        assertThat(drained).containsOnlyKeys("orders").containsValue(new DrainAnswer(true, true));
        assertThat(undrained).containsOnlyKeys("orders");
        assertThat(instances()).hasSize(3).containsOnly("b@-@1");
        assertThatThrownBy(() -> cluster.get(admin.by(ALICE).drainAll("z@-@1")))
                .hasMessageContaining("No job of the namespace has an instance \"z@-@1\"");
        assertThatThrownBy(() -> cluster.get(admin.by(ALICE).drain("orders", "z@-@1")))
                .hasMessageContaining("Job \"orders\" has no instance \"z@-@1\"")
                .hasMessageContaining("a@-@1");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 8, 12, 16, 20, 30, 40, 60, 80})
    void aJobThatIsRemovedMeanwhileKeepsNobodyFromBeingDrainedOutOfTheOthers(int later) {
        start("a@-@1");
        cluster.start("a@-@1", definition("invoices"));
        cluster.pass(Duration.ofSeconds(1));

        var drained = admin.by(ALICE).drainAll("a@-@1");
        cluster.steps(later);
        cluster.get(admin.remove("invoices"));

        assertThat(cluster.get(drained)).containsEntry("orders", new DrainAnswer(true, true));
    }

    // ------------------------------------------------------------------ helpers

    private static JobDefinition definition() {
        return definition("orders");
    }

    private static JobDefinition definition(String jobName) {
        return JobDefinition.builder(jobName)
                .cron("10 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(3)
                .failover(true)
                .build();
    }

    private void start(String... instances) {
        for (String instance : instances) {
            cluster.start(instance, definition());
        }
        cluster.pass(Duration.ofSeconds(1));
    }

    private List<String> instances() {
        return cluster.executions().stream().map(Execution::instance).toList();
    }

    private List<JobState> states(String... of) {
        return Arrays.stream(of).map(id -> cluster.engine(id).state("orders")).toList();
    }
}
