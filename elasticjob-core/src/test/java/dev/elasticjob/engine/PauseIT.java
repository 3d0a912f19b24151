package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.DrainAnswer;
import dev.elasticjob.admin.command.PauseAnswer;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import dev.elasticjob.job.event.JobEvent.StateChanged;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.testing.ChangedRegistry;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Three instances on a real ZooKeeper, of which the leader dies in the middle of an operator's command. */
class PauseIT {
    private static final JobTree TREE = new JobTree("orders");
    private static final Actor ALICE = Actor.named("alice").because("broken data");

    @RegisterExtension
    final RealEngines engines = new RealEngines();

    private final EventLog events = engines.events();

    @BeforeEach
    void startThree() {
        for (String instance : List.of("a@-@1", "b@-@1", "c@-@1")) {
            ElasticJobEngine engine = engines.engine(instance);
            engine.register(job("orders", 3), context -> {});
            engine.register(job("beat", 3), context -> {});
            get(engine.start());
        }
        for (String instance : List.of("a@-@1", "b@-@1", "c@-@1")) {
            owns(instance, 1);
        }
    }

    @Test
    void aPauseHoldsThoughTheLeaderDiesWhenItIsAskedFor() {
        JobAdmin admin = commandThatKills("a@-@1", TREE.paused());
        events.await(ItemFinished.class, run -> run.jobName().equals("orders"));

        PauseAnswer paused = get(admin.by(ALICE).pause("orders"));
        Instant begun = paused.paused().orElseThrow().since();
        Instant inForce = Instant.now();
        awaitBeat(inForce.plusSeconds(2));
        PauseAnswer resumed =
                get(new RegistryJobAdmin(engines.registry()).by(ALICE).resume("orders"));
        Instant ended = Instant.now();
        events.await(
                ItemStarted.class,
                run -> run.jobName().equals("orders") && run.scheduledAt().isAfter(ended));

        assertThat(paused.inForce()).isTrue();
        assertThat(resumed.paused()).isEmpty();
        // Some of what came due before the pause was in force may have run. What came due before it was asked for is
        // owed,
        // on the instance that died.
        assertThat(started())
                .noneMatch(run -> run.startedAt().isAfter(ended)
                        && run.scheduledAt().isAfter(begun)
                        && !run.scheduledAt().isAfter(ended.minusSeconds(1)));
        assertThat(started().stream()
                        .filter(run -> run.scheduledAt().isAfter(inForce)
                                && run.scheduledAt().isBefore(ended.minusSeconds(1))))
                .isEmpty();
        assertThat(events.all(StateChanged.class))
                .anyMatch(change -> change.jobName().equals("orders") && change.to() == JobState.PAUSED);
    }

    @Test
    void aResumedJobGoesOnThoughTheLeaderDiesWhenItIsResumed() {
        get(new RegistryJobAdmin(engines.registry()).by(ALICE).pause("orders"));
        JobAdmin admin = commandThatKills("a@-@1", TREE.paused());

        PauseAnswer resumed = get(admin.by(ALICE).resume("orders"));
        Instant ended = Instant.now();
        events.clear();
        events.await(
                ItemStarted.class,
                run -> run.jobName().equals("orders")
                        && run.scheduledAt().isAfter(ended)
                        && !run.instance().equals("a@-@1"));
        events.await(
                ItemFinished.class,
                run -> run.jobName().equals("orders") && run.scheduledAt().isAfter(ended.plusSeconds(2)));

        assertThat(resumed.changed()).isTrue();
        assertThat(resumed.paused()).isEmpty();
        assertThat(started()).noneMatch(run -> run.scheduledAt().isBefore(ended.minusSeconds(1)));
    }

    @Test
    void aDrainHoldsThoughTheLeaderDiesWhenItIsAskedFor() {
        JobAdmin admin = commandThatKills("a@-@1", TREE.drain("b@-@1"));

        DrainAnswer drained = get(admin.by(ALICE).drain("orders", "b@-@1"));
        Instant begun = Instant.now();
        awaitBeat(begun.plusSeconds(2));
        boolean registered = engines.exists(TREE.instance("b@-@1"));
        List<ItemStarted> meanwhile = started();
        events.clear();
        DrainAnswer undrained =
                get(new RegistryJobAdmin(engines.registry()).by(ALICE).undrain("orders", "b@-@1"));
        events.await(
                ItemStarted.class,
                run -> run.jobName().equals("orders") && run.instance().equals("b@-@1"));

        assertThat(drained).isEqualTo(new DrainAnswer(true, true));
        assertThat(undrained.changed()).isTrue();
        assertThat(registered).isTrue();
        assertThat(meanwhile)
                .noneMatch(run ->
                        run.instance().equals("b@-@1") && run.scheduledAt().isAfter(begun.plusSeconds(1)))
                .anyMatch(run ->
                        run.instance().equals("c@-@1") && run.scheduledAt().isAfter(begun));
        assertThat(engines.children(TREE.drains())).isEmpty();
    }

    /** A caller's commands, whose transaction with that node is the last that the instance lives to see. */
    private JobAdmin commandThatKills(String leader, String path) {
        Registry killing = new ChangedRegistry(engines.registry()) {
            @Override
            public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                boolean kills = commit.operations().stream()
                        .anyMatch(step -> step.path().equals(path));
                return super.commit(session, commit).whenComplete((outcome, error) -> {
                    if (kills) {
                        CompletableFuture.runAsync(engines.registryOf(leader)::close);
                    }
                });
            }
        };
        return new RegistryJobAdmin(killing);
    }

    private List<ItemStarted> started() {
        return events.all(ItemStarted.class).stream()
                .filter(run -> run.jobName().equals("orders"))
                .toList();
    }

    /** The other job runs on. */
    private void awaitBeat(Instant after) {
        events.await(
                ItemStarted.class,
                run -> run.jobName().equals("beat") && run.scheduledAt().isAfter(after));
    }

    private void owns(String instance, int items) {
        events.await(
                AssignmentChanged.class,
                change -> change.jobName().equals("orders")
                        && change.instance().equals(instance)
                        && change.items().size() == items);
    }

    private static JobDefinition job(String name, int items) {
        return JobDefinition.builder(name)
                .cron("* * * * * ?")
                .shardingTotalCount(items)
                .build();
    }
}
