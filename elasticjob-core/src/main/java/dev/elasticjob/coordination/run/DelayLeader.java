package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.run.DelayPlanner.Step;
import dev.elasticjob.coordination.run.FormerRun.Progress;
import dev.elasticjob.coordination.run.SerialRuns.SerialRun;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.state.DelayedFiring;
import dev.elasticjob.coordination.state.StoredDefinition.NodeVersion;
import dev.elasticjob.coordination.view.LeaderDuty;
import dev.elasticjob.coordination.view.LeaderTask;
import dev.elasticjob.coordination.view.PlanView;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryMoment;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the leader does for a job with a fixed delay: it notes when the last firing has ended, and asks for the next one some
 * time later. The steps are those of {@code docs/internals/protocol-delay.md}. For other jobs, it does nothing.
 *
 * <p>Confined to the coordination executor.
 */
public final class DelayLeader implements LeaderTask {
    private static final Logger log = LoggerFactory.getLogger(DelayLeader.class);

    private final JobScope scope;
    private final JobTree tree;
    private final SerialRuns runs;
    private TaskTimer.Cancellable timer = () -> {};

    /** The last firing and the assignment as they were read together. What follows from them is written under both, and under the settings. */
    private record Found(
            Optional<RegistryNode> node, Optional<DelayedFiring> last, PlanView plan, NodeVersion settings) {}

    public DelayLeader(JobScope scope) {
        this.scope = scope;
        this.tree = scope.tree();
        this.runs = new SerialRuns(scope, "Fixed delay of job", this::round);
    }

    /** This instance leads. */
    @Override
    public void lead(LeaderDuty duty) {
        if (duty.definition().schedule().delay().isEmpty()) {
            resign();
            return;
        }
        runs.lead(duty);
        runs.again();
    }

    /** This instance doesn't lead, or the definition can't be read. */
    @Override
    public void resign() {
        timer.cancel();
        runs.resign();
    }

    @Override
    public void close() {
        timer.cancel();
        runs.close();
    }

    private CompletionStage<Next> round(LeaderDuty now) {
        NodeVersion settings = now.view().definitionVersion();
        return scope.registry()
                .read(RegistryRead.allData(tree.delay(), tree.sharding(), settings.path()))
                .thenCompose(answer -> {
                    Optional<PlanView> plan = planToFollow(now, answer);
                    if (runs.duty().isEmpty() || plan.isEmpty()) {
                        timer.cancel();
                        runs.unwatch();
                        return Next.WAIT.stage();
                    }
                    Optional<RegistryNode> node = answer.node(tree.delay());
                    return act(
                            now,
                            new Found(
                                    node,
                                    node.flatMap(there -> DelayedFiring.read(tree.delay(), there)),
                                    plan.get(),
                                    settings));
                });
    }

    /** Empty if there are other settings, or they aren't in the plan yet, or nobody owns anything: the next view shows more. */
    private Optional<PlanView> planToFollow(LeaderDuty now, RegistryAnswer answer) {
        NodeVersion settings = now.view().definitionVersion();
        return answer.node(settings.path())
                .filter(node -> node.version() == settings.version())
                .flatMap(node -> PlanView.of(tree, answer))
                .filter(plan -> !plan.assignment().owners().isEmpty())
                .filter(plan ->
                        plan.assignment().schedule().equals(now.definition().schedule()));
    }

    private CompletionStage<Next> act(LeaderDuty now, Found found) {
        timer.cancel();
        Instant registryNow = scope.registryTime().now();
        Step step = DelayPlanner.next(found.last(), found.plan().assignment(), registryNow);
        if (step instanceof Step.Ask ask) {
            return ask(now, found, ask.firing());
        }
        if (step instanceof Step.LookForEnds look) {
            List<Integer> items = List.copyOf(found.plan().assignment().owners().keySet());
            return runs.progress(now, items, look.last().runId())
                    .thenCompose(progress -> looked(now, found, look.last(), progress));
        }
        runs.unwatch();
        ((Step.Await) step)
                .next()
                .ifPresent(next -> timer = scope.connection().later(Duration.between(registryNow, next), runs::again));
        return Next.WAIT.stage();
    }

    private CompletionStage<Next> looked(LeaderDuty now, Found found, DelayedFiring last, Progress progress) {
        if (runs.duty().isEmpty()) {
            return Next.WAIT.stage();
        }
        if (progress.busyItem().isPresent()) {
            return runs.awaitChange(tree.item(progress.busyItem().get())).stage();
        }
        RegistryNode node = found.node().orElseThrow();
        // A firing without items ends when it is asked for.
        Instant written = progress.written().isAfter(node.modified()) ? progress.written() : node.modified();
        Instant end = new RegistryMoment(scope.registryTime().now()).bounded(written);
        return scope.connection()
                .commit(now.session(), write(found, 0, last.endedAt(end)))
                .thenApply(outcome -> Next.AGAIN);
    }

    private CompletionStage<Next> ask(LeaderDuty now, Found found, DelayedFiring firing) {
        SerialRun run =
                new SerialRun(firing.run(), other -> false, write(found, 0, firing), write(found, 1, firing.asked()));
        return runs.ask(
                now,
                run,
                asked -> log.debug(
                        "Job \"{}\": asked for the firing of {}, as run \"{}\", of {} items",
                        scope.jobName(),
                        firing.at(),
                        firing.runId(),
                        asked.asked().size()));
    }

    /** Under another assignment, other items may have to end it; under other settings, what was interrupted may not have. */
    private RegistryCommit write(Found found, int writtenSince, DelayedFiring next) {
        RegistryCommit.Builder commit = RegistryCommit.builder()
                .addAll(found.settings().check())
                .check(tree.sharding(), found.plan().epoch());
        Optional<Integer> version = found.node().map(node -> node.version() + writtenSince);
        return commit.setOrCreate(
                        tree.delay(),
                        next.write(),
                        version.or(() -> writtenSince == 0 ? Optional.empty() : Optional.of(writtenSince - 1)))
                .build();
    }
}
