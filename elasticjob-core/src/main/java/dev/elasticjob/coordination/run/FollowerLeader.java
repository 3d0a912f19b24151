package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.run.FollowUpPlanner.Step;
import dev.elasticjob.coordination.run.ManualRuns.Answer;
import dev.elasticjob.coordination.run.SerialRuns.SerialRun;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.coordination.view.LeaderDuty;
import dev.elasticjob.coordination.view.LeaderTask;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the leader of a job does about the jobs that it runs after: it registers the job with them, and asks for one run for
 * each of their firings that has ended, one after the other.
 *
 * <p>Confined to the coordination executor.
 */
public final class FollowerLeader implements LeaderTask {
    private static final Logger log = LoggerFactory.getLogger(FollowerLeader.class);

    private final JobScope scope;
    private final JobTree tree;
    private final SerialRuns runs;
    private final FollowerRegistration registration;
    private final FollowerWatches watches;
    private boolean fresh;

    public FollowerLeader(JobScope scope) {
        this.scope = scope;
        this.tree = scope.tree();
        this.runs = new SerialRuns(scope, "Following of job", this::round);
        this.registration = new FollowerRegistration(scope);
        this.watches = new FollowerWatches(scope, runs::again);
    }

    /** This instance leads. Only a job without a cron can follow others, so others cost nothing. */
    @Override
    public void lead(LeaderDuty duty) {
        if (!duty.definition().mayFollow()) {
            resign();
            return;
        }
        Optional<LeaderDuty> before = runs.duty();
        fresh |= before.isEmpty();
        runs.lead(duty);
        if (before.filter(duty::isUnderSamePlan)
                .filter(former -> former.definitionVersion() == duty.definitionVersion())
                .isEmpty()) {
            runs.again();
        }
    }

    /** This instance doesn't lead, or the definition can't be read. */
    @Override
    public void resign() {
        watches.close();
        runs.resign();
    }

    @Override
    public void close() {
        watches.close();
        runs.close();
    }

    // ------------------------------------------------------------------ reading

    private record KnownFollowUps(FollowerState following, Optional<RegistryNode> node, List<FollowUp> followUps) {}

    private CompletionStage<Next> round(LeaderDuty now) {
        return scope.registry()
                .read(List.of(RegistryRead.data(tree.after()), RegistryRead.children(tree.after())))
                .thenCompose(answer -> {
                    Optional<RegistryNode> node = answer.node(tree.after());
                    if (runs.duty().isEmpty()
                            || (node.isEmpty()
                                    && now.definition().after().jobs().isEmpty())) {
                        return Next.WAIT.stage();
                    }
                    if (watches.ofFollowUps()) {
                        return Next.AGAIN.stage();
                    }
                    return known(node, answer.children(tree.after())).thenCompose(known -> act(now, known));
                });
    }

    private CompletionStage<KnownFollowUps> known(Optional<RegistryNode> node, List<String> names) {
        List<String> paths = names.stream().map(tree::after).toList();
        return scope.registry().read(RegistryRead.allData(paths)).thenApply(answer -> {
            List<FollowUp> followUps = new ArrayList<>();
            for (String name : names) {
                answer.node(tree.after(name)).ifPresent(found -> followUps.add(FollowUp.of(name, found)));
            }
            return new KnownFollowUps(node.map(this::following).orElse(FollowerState.NOBODY), node, followUps);
        });
    }

    /** Where it can't be read, the job is registered again, which replaces it. */
    private FollowerState following(RegistryNode node) {
        try {
            return FollowerState.read(tree.after(), node);
        } catch (CorruptNodeException e) {
            log.warn(
                    "Job \"{}\": where it is registered with the jobs that it runs after can't be read,"
                            + " so it is registered again. {}",
                    scope.jobName(),
                    e.getMessage());
            return FollowerState.NOBODY;
        }
    }

    private CompletionStage<Next> act(LeaderDuty now, KnownFollowUps known) {
        Set<String> parents = new TreeSet<>(known.following().parents());
        parents.addAll(now.definition().after().jobs());
        if (watches.ofParents(parents)) {
            return Next.AGAIN.stage();
        }
        return scope.registry()
                .read(FollowerRegistration.reads(scope.jobName(), List.copyOf(parents)))
                .thenCompose(answer -> runs.duty().isEmpty() ? Next.WAIT.stage() : act(now, known, answer));
    }

    private CompletionStage<Next> act(LeaderDuty now, KnownFollowUps known, RegistryAnswer parents) {
        FollowerState following = known.following();
        boolean retry =
                fresh && !following.parents().equals(now.definition().after().jobs());
        if (retry
                || !FollowerRegistration.isCurrent(
                        scope.jobName(),
                        following,
                        now.definitionVersion(),
                        now.definition().after().jobs(),
                        parents)) {
            return registration
                    .register(
                            now.session(), following, known.node(), now.definition(), now.definitionVersion(), parents)
                    .thenApply(done -> {
                        fresh &= !done;
                        return Next.AGAIN;
                    });
        }
        fresh = false;
        Optional<CompletionStage<Boolean>> reported =
                registration.reportParents(now.session(), following, known.node(), parents);
        if (reported.isPresent()) {
            return reported.get().thenApply(written -> Next.AGAIN);
        }
        Instant registryNow = scope.registryTime().now();
        Step step = FollowUpPlanner.next(known.followUps(), now.definition().after(), following.last(), registryNow);
        if (step instanceof Step.Run run) {
            return run(now, known, run.followUp());
        }
        if (step instanceof Step.Drop drop) {
            return drop(now.session(), drop.followUp(), drop.reason());
        }
        watches.wakeIn(((Step.Await) step).until().map(until -> Duration.between(registryNow, until)));
        return Next.WAIT.stage();
    }

    // ------------------------------------------------------------------ acting

    /** Never while the former run goes on: items that have ended it would begin this one beside it. */
    private CompletionStage<Next> run(LeaderDuty now, KnownFollowUps known, FollowUp followUp) {
        boolean begun =
                known.following().last().filter(followUp.runId()::equals).isPresent();
        Optional<String> former = known.following().last().filter(last -> !begun);
        return runs.after(now, former, () -> ask(now, known, followUp));
    }

    private CompletionStage<Next> ask(LeaderDuty now, KnownFollowUps known, FollowUp followUp) {
        RegistryCommit asking = RegistryCommit.builder()
                .set(
                        tree.after(),
                        known.following().asking(followUp.runId()).write(),
                        known.node().orElseThrow().version())
                .build();
        SerialRun run = new SerialRun(followUp.run(), other -> false, asking, deletionOf(followUp));
        return runs.ask(now, run, asked -> asked(followUp, asked));
    }

    private void asked(FollowUp followUp, Answer answer) {
        if (answer.asked().isEmpty()) {
            report(followUp, "all of its items are disabled");
        } else {
            log.info("Job \"{}\": asked for run \"{}\", after {}", scope.jobName(), followUp.runId(), followUp.names());
        }
    }

    private CompletionStage<Next> drop(RegistrySession session, FollowUp followUp, Optional<String> reason) {
        return scope.connection().commit(session, deletionOf(followUp)).thenApply(outcome -> {
            if (outcome.isCommitted()) {
                reason.ifPresent(why -> report(followUp, why));
            }
            return Next.AGAIN;
        });
    }

    private RegistryCommit deletionOf(FollowUp followUp) {
        return RegistryCommit.builder()
                .delete(tree.after(followUp.id()), followUp.version())
                .build();
    }

    private void report(FollowUp followUp, String reason) {
        log.warn(
                "Job \"{}\" does not run after firing {} of {}: {}",
                scope.jobName(),
                followUp.id(),
                followUp.names(),
                reason);
        scope.events().accept(new JobEvent.FollowUpDropped(scope.jobName(), followUp.names(), followUp.id(), reason));
    }
}
