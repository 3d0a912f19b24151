package dev.elasticjob.coordination;

import dev.elasticjob.coordination.leader.JobLeader;
import dev.elasticjob.coordination.membership.ClockDifference;
import dev.elasticjob.coordination.membership.DefinitionReader;
import dev.elasticjob.coordination.membership.ForeignInstanceGuard;
import dev.elasticjob.coordination.membership.InstanceRegistration;
import dev.elasticjob.coordination.run.OperatorTriggers;
import dev.elasticjob.coordination.run.RunAtStart;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.LeaderDuty;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistrySession;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A registered instance's work in its job: it publishes what it owns, answers operators' tools, and leads or follows.
 * Confined to the coordination executor.
 */
final class Participation {
    private final InstanceRegistration registration;
    private final DefinitionReader definitions;
    private final ForeignInstanceGuard foreignGuard;
    private final JobLeader leading;
    private final JobWatches watches;
    private final OwnershipPublisher publisher;
    private final OperatorTriggers operators;
    private final RunAtStart runAtStart;
    private final ClockDifference clock;
    private final JobScope scope;
    private final CoordinationListener listener;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private long seenOwn;

    Participation(
            JobScope scope,
            InstanceRegistration registration,
            DefinitionReader definitions,
            ForeignInstanceGuard foreignGuard,
            JobLeader leading,
            JobWatches watches,
            CoordinationListener listener) {
        this.scope = scope;
        this.registration = registration;
        this.definitions = definitions;
        this.foreignGuard = foreignGuard;
        this.leading = leading;
        this.watches = watches;
        this.listener = listener;
        this.publisher = new OwnershipPublisher(scope, registration.capacity(), leading::measures, listener);
        this.operators = new OperatorTriggers(scope);
        this.runAtStart = new RunAtStart(scope, registration);
        this.clock = new ClockDifference(scope, registration);
    }

    /** Completes when this instance follows an assignment. */
    CompletableFuture<Void> ready() {
        return ready;
    }

    /** Ends what only a leader does. */
    void resign() {
        leading.resign();
    }

    /** Ends this instance's part. */
    void end() {
        clock.stop();
        leading.close();
    }

    /** This machine's clock may differ from the registry's, or agree again. */
    void compareClocks() {
        clock.look();
    }

    /** Nothing new is claimed until the next round. */
    void suspend(boolean sessionLost) {
        clock.suspend();
        publisher.suspend(sessionLost);
    }

    /** One round, on the leader or on an instance that has a leader. */
    CompletionStage<Next> round(RegistrySession session, JobView view, boolean leads) {
        view.ownInstance().ifPresent(this::observe);
        Optional<JobDefinition> definition = definitions.usable(view);
        if (definition.isEmpty()) {
            return awaitReadable(session, view, leads);
        }
        watches.readable();
        JobState standing = view.standing(definition.get(), registration.labels());
        if (!leads || leading.knowsWhoPlanned(view)) {
            publisher.publish(session, view, definition.get(), standing);
        }
        if (clock.follow(session, definition.get(), view.ownInstance())) {
            listener.asked();
        }
        view.assignment().ifPresent(known -> ready.complete(null));
        if (isHeldBackAnew(standing)) {
            return Next.AGAIN.stage();
        }
        return operators
                .answer(session, view, registration.text())
                .or(() -> runAtStart.next(session, view, definition.get()))
                .map(step -> step.exceptionallyCompose(Participation::untilItIsCorrected))
                .orElseGet(() ->
                        leads ? leading.round(new LeaderDuty(session, view, definition.get())) : follow(session, view));
    }

    /** A node that the step needs can't be read. Its claims report that, and have this done again when it is corrected. */
    private static CompletionStage<Next> untilItIsCorrected(Throwable error) {
        return Stages.unwrap(error) instanceof CorruptNodeException
                ? Next.WAIT.stage()
                : CompletableFuture.failedFuture(error);
    }

    /** Whoever cancels what is executed here sets this instance's node, unchanged. */
    private void observe(RegistryNode own) {
        scope.registryTime().observePast(own.created());
        if (own.mzxid() != seenOwn) {
            seenOwn = own.mzxid();
            listener.touched();
        }
    }

    /** Whether something keeps this instance from starting anything, and it didn't watch for the end of that yet. */
    private boolean isHeldBackAnew(JobState standing) {
        boolean active = standing == JobState.ACTIVE;
        boolean bySettings = standing == JobState.UNMATCHED || clock.isShown();
        if (active) {
            watches.free();
        }
        if (!bySettings) {
            watches.forgetSettings();
        }
        boolean anew = bySettings && watches.settings();
        return (!active && watches.heldBack(registration.instance(), registration.ip())) || anew;
    }

    private CompletionStage<Next> follow(RegistrySession session, JobView view) {
        resign();
        return watches.asFollower(registration.instance()) ? Next.AGAIN.stage() : foreignGuard.follow(session, view);
    }

    /**
     * The definition or the assignment has become unreadable. Claims are guarded by their versions, and a plan needs
     * both. So nothing new starts until they are corrected, which is watched for. Running executions continue. Other
     * software may have written the nodes, so this instance still looks for its instances.
     */
    private CompletionStage<Next> awaitReadable(RegistrySession session, JobView view, boolean leads) {
        resign();
        suspend(false);
        if (watches.unreadable()) {
            return Next.AGAIN.stage();
        }
        return leads ? leading.lookForForeigners(view) : foreignGuard.follow(session, view);
    }
}
