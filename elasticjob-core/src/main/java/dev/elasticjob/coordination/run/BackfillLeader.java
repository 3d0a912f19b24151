package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.run.Backfill.FailedTimes;
import dev.elasticjob.coordination.run.BackfillPlanner.Step;
import dev.elasticjob.coordination.run.SerialRuns.SerialRun;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.StoredDefinition.NodeVersion;
import dev.elasticjob.coordination.view.LeaderDuty;
import dev.elasticjob.coordination.view.LeaderTask;
import dev.elasticjob.coordination.view.PlanView;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.Subscription;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the leader does about a backfill of its job: it asks for the runs of one time after the other. Where there is no
 * backfill, it does nothing.
 *
 * <p>Confined to the coordination executor.
 */
public final class BackfillLeader implements LeaderTask {
    private static final Logger log = LoggerFactory.getLogger(BackfillLeader.class);

    private final JobScope scope;
    private final JobTree tree;
    private final SerialRuns runs;
    private @Nullable Subscription watch;

    /** The backfill and the assignment as they were read together. What follows from them is written under both, and under the settings. */
    private record CurrentBackfill(RegistryNode node, Backfill backfill, PlanView plan, NodeVersion settings) {}

    /**
     * @param ended the open times that all items have ended
     * @param failed those of them that an item didn't complete
     */
    private record Progress(List<Instant> ended, List<Instant> failed, Optional<Integer> busyItem) {}

    public BackfillLeader(JobScope scope) {
        this.scope = scope;
        this.tree = scope.tree();
        this.runs = new SerialRuns(scope, "Backfill of job", this::round);
    }

    /** This instance leads. */
    @Override
    public void lead(LeaderDuty duty) {
        boolean goesOn = watch != null
                || duty.view().backfill().filter(node -> node.data().length > 0).isPresent();
        runs.lead(duty);
        if (goesOn) {
            runs.again();
        }
    }

    /** This instance doesn't lead, or the definition can't be read. */
    @Override
    public void resign() {
        unwatch();
        runs.resign();
    }

    @Override
    public void close() {
        unwatch();
        runs.close();
    }

    private CompletionStage<Next> round(LeaderDuty now) {
        NodeVersion settings = now.view().definitionVersion();
        return scope.registry()
                .read(RegistryRead.allData(tree.backfill(), tree.sharding(), settings.path()))
                .thenCompose(answer -> {
                    Optional<CurrentBackfill> found = answer.node(tree.backfill())
                            .flatMap(node -> Backfill.read(tree.backfill(), node)
                                    .flatMap(backfill -> PlanView.of(tree, answer)
                                            .map(plan -> new CurrentBackfill(node, backfill, plan, settings))));
                    if (runs.duty().isEmpty() || found.isEmpty()) {
                        unwatch();
                        return Next.WAIT.stage();
                    }
                    if (watch == null) {
                        watch = scope.registry().watch(tree.backfill(), WatchScope.DATA, runs::again);
                        return Next.AGAIN.stage();
                    }
                    boolean otherSettings = answer.node(settings.path())
                            .filter(node -> node.version() == settings.version())
                            .isEmpty();
                    if (otherSettings
                            || found.get().plan().assignment().owners().isEmpty()) {
                        // Items without an owner may still have a time to end: the next view shows that, or the
                        // settings.
                        return Next.WAIT.stage();
                    }
                    return progress(now, found.get()).thenCompose(progress -> act(now, found.get(), progress));
                });
    }

    private CompletionStage<Progress> progress(LeaderDuty now, CurrentBackfill found) {
        Backfill backfill = found.backfill();
        List<Integer> items = List.copyOf(found.plan().assignment().owners().keySet());
        List<Instant> ended = new ArrayList<>();
        List<Instant> failed = new ArrayList<>();
        TreeSet<Integer> busy = new TreeSet<>();
        List<Instant> complete = backfill.open().stream()
                .filter(time -> backfill.asking().filter(time::equals).isEmpty())
                .toList();
        return Stages.inOrder(
                        complete,
                        time -> runs.progress(now, items, backfill.runIdOf(time))
                                .thenAccept(run -> {
                                    run.busyItem().ifPresent(busy::add);
                                    if (run.busyItem().isEmpty()) {
                                        ended.add(time);
                                        if (run.failed()) {
                                            failed.add(time);
                                        }
                                    }
                                }))
                .thenApply(done -> new Progress(ended, failed, busy.stream().findFirst()));
    }

    private CompletionStage<Next> act(LeaderDuty now, CurrentBackfill found, Progress progress) {
        if (runs.duty().isEmpty()) {
            return Next.WAIT.stage();
        }
        Step step = BackfillPlanner.next(
                found.backfill(),
                progress.ended(),
                progress.failed(),
                scope.registryTime().now());
        if (step instanceof Step.Ask ask) {
            return ask(now, found, ask);
        }
        if (step instanceof Step.Forget forget) {
            return forget(now, found, forget.left());
        }
        return runs.awaitChange(tree.item(progress.busyItem().orElse(0))).stage();
    }

    private CompletionStage<Next> ask(LeaderDuty now, CurrentBackfill found, Step.Ask step) {
        Backfill begun = step.from().asking(step.time());
        SerialRun run = new SerialRun(
                begun.runOf(step.time()), begun::asked, set(found, begun), write(found, 1, begun.asked(step.time())));
        return runs.ask(
                now,
                run,
                asked -> log.info(
                        "Job \"{}\": asked for the backfill of {}, as run \"{}\"",
                        scope.jobName(),
                        step.time(),
                        begun.runIdOf(step.time())));
    }

    private CompletionStage<Next> forget(LeaderDuty now, CurrentBackfill found, Backfill left) {
        return scope.connection().commit(now.session(), set(found, left)).thenApply(outcome -> {
            if (outcome.isCommitted() && left.isOver()) {
                ended(left);
            }
            return Next.AGAIN;
        });
    }

    private void ended(Backfill left) {
        FailedTimes failures = left.failures();
        if (failures.count() == 0) {
            log.info("Job \"{}\": the backfill until {} has ended", scope.jobName(), left.until());
        } else {
            log.warn(
                    "Job \"{}\": the backfill until {} has ended, but items failed in {} of its times, first in {}:"
                            + " correct the cause, and run these times again",
                    scope.jobName(),
                    left.until(),
                    failures.count(),
                    failures.first());
        }
        scope.events()
                .accept(new JobEvent.BackfillEnded(
                        scope.jobName(), left.id(), left.until(), failures.count(), failures.first()));
    }

    /** Under other settings, what was interrupted may not have ended its time. */
    private RegistryCommit set(CurrentBackfill found, Backfill next) {
        return RegistryCommit.builder()
                .addAll(found.settings().check())
                .addAll(write(found, 0, next))
                .build();
    }

    /** Under another assignment, other items may have to end a time. */
    private RegistryCommit write(CurrentBackfill found, int writtenSince, Backfill next) {
        return RegistryCommit.builder()
                .check(tree.sharding(), found.plan().epoch())
                .set(tree.backfill(), next.write(), found.node().version() + writtenSince)
                .build();
    }

    private void unwatch() {
        if (watch != null) {
            watch.close();
            watch = null;
        }
        runs.unwatch();
    }
}
