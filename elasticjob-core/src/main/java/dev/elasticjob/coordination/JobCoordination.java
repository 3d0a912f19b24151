package dev.elasticjob.coordination;

import dev.elasticjob.coordination.leader.JobLeader;
import dev.elasticjob.coordination.leader.PlanTurns;
import dev.elasticjob.coordination.membership.DefinitionAgreement;
import dev.elasticjob.coordination.membership.DefinitionReader;
import dev.elasticjob.coordination.membership.Deregistration;
import dev.elasticjob.coordination.membership.Deregistration.Items;
import dev.elasticjob.coordination.membership.ForeignInstanceGuard;
import dev.elasticjob.coordination.membership.InstanceIdentity;
import dev.elasticjob.coordination.membership.InstanceRegistration;
import dev.elasticjob.coordination.membership.KnownJob;
import dev.elasticjob.coordination.membership.MemberNodes;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.LeaderTasks;
import dev.elasticjob.definition.JobConflictException;
import dev.elasticjob.definition.OnForeignInstance;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.Subscription;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One job on this instance: a loop that reads the job's nodes and acts according to this instance's {@link InstanceRole}.
 * The instance joins, stands for election, plans while it leads, and publishes the items that it owns. Every event only
 * means that the nodes must be read again.
 *
 * <p>Confined to the coordination executor, except {@link #leader()} and {@link #isLeader()}.
 */
public final class JobCoordination {
    private static final Logger log = LoggerFactory.getLogger(JobCoordination.class);
    private static final Duration REMOVAL = Duration.ofSeconds(1);

    private final JobScope scope;
    private final CoordinationListener listener;
    private final DefinitionReader definitions;
    private final ForeignInstanceGuard foreignGuard;
    private final InstanceRegistration registration;
    private final Deregistration deregistration;
    private final JobViewReader reader;
    private final JobLeader leading;
    private final JobWatches watches;
    private final Participation participation;
    private final ReconcileLoop loop;
    private final CompletableFuture<Void> ready;

    private Phase phase = Phase.TAKING_PART;
    /** What becomes of its items while it drains. */
    private Items draining = Items.GIVEN_AWAY;

    private Optional<RegistrySession> registeredIn = Optional.empty();
    /** The newest session in which this instance may have registered. */
    private Optional<RegistrySession> joinedIn = Optional.empty();

    private @Nullable Subscription connection;
    private @Nullable Subscription clock;
    private volatile Leadership leadership = new Leadership(Optional.empty(), false);

    private enum Phase {
        TAKING_PART,
        /** Still registered, but not in a new session. */
        DRAINING,
        ENDED
    }

    private record Leadership(Optional<String> leader, boolean ours) {}

    public JobCoordination(
            JobScope scope,
            KnownJob job,
            InstanceIdentity identity,
            PlanTurns turns,
            OnForeignInstance onForeignInstance,
            CoordinationListener listener,
            LeaderTasks tasks) {
        this.scope = scope;
        this.listener = listener;
        this.loop = scope.loop("coordination", this::round);
        this.definitions = new DefinitionReader(scope, job.definition());
        this.foreignGuard = new ForeignInstanceGuard(scope, onForeignInstance, loop::again);
        DefinitionAgreement agreement = new DefinitionAgreement(scope, job, definitions, identity.labels());
        this.registration = new InstanceRegistration(scope, agreement, identity, foreignGuard);
        this.deregistration = new Deregistration(scope, registration);
        this.reader = new JobViewReader(scope);
        this.leading = new JobLeader(scope, reader, turns, foreignGuard, loop::again, listener::membersChanged, tasks);
        this.watches = new JobWatches(scope, loop::again);
        this.participation =
                new Participation(scope, registration, definitions, foreignGuard, leading, watches, listener);
        this.ready = participation.ready();
    }

    /**
     * Joins the job and takes part in it.
     *
     * @return completes when this instance is registered and follows an assignment; fails with {@link
     *     JobConflictException}, {@link UnreadableDefinitionException} or {@link RegistryAccessDeniedException} if it
     *     can't be registered. Completes also if it is {@linkplain #drain drained} before it has registered, which it
     *     doesn't do then
     */
    public CompletionStage<Void> start() {
        if (phase != Phase.ENDED) {
            connection = scope.connection().onChange(this::connectionChanged);
            clock = scope.registryTime().onSetBack(this::clockWasAhead);
            loop.again();
        }
        return ready;
    }

    /** Reads everything again, because the registry has changed since the last read. */
    public void lookAgain() {
        loop.again();
    }

    /** This machine's clock may differ from the registry's, or agree again. */
    public void compareClocks() {
        participation.compareClocks();
    }

    /** The id of the leader, as this instance last saw it. */
    public Optional<String> leader() {
        return leadership.leader();
    }

    /** Whether this instance leads, as it last saw it. */
    public boolean isLeader() {
        return leadership.ours();
    }

    /** This instance's id; final once it has joined. */
    public String instance() {
        return registration.instance();
    }

    /** This instance's node in the present session; empty before it has registered. */
    public Optional<String> instanceNode() {
        return scope.connection()
                .session()
                .filter(this::isRegisteredIn)
                .map(now -> scope.tree().instance(registration.instance()));
    }

    /**
     * Gives this instance's items away while some of them still run here. The instance stays registered until it
     * leaves, but doesn't register in a new session. If this fails, it is done again in the next round.
     */
    public void drain() {
        drain(Items.GIVEN_AWAY);
    }

    /** The same before the end of the process: items that are to wait for its successor stay with it. */
    public void drainBeforeEnd() {
        drain(registration.mayReturn() ? Items.KEPT : Items.GIVEN_AWAY);
    }

    private void drain(Items items) {
        phase = phase == Phase.ENDED ? Phase.ENDED : Phase.DRAINING;
        draining = items;
        deregistration.drain(items);
        if (!ready.isDone()) {
            loop.again();
        }
    }

    /**
     * Ends this instance's part in the job, and deletes its nodes. A round that is under way ends first; otherwise it
     * might register this instance once more.
     *
     * @return completes when it has left, or could not; then the end of its session has the same effect
     */
    public CompletionStage<Void> leave() {
        end();
        return loop.stop().thenCompose(resting -> deregistration.now());
    }

    /**
     * Leaves while this process and its session live on, so that nothing else would delete the instance's nodes. Tries
     * for as long as the session lives.
     *
     * @return completes when it has left, or the session is over
     */
    public CompletionStage<Void> leaveForGood() {
        end();
        return loop.stop().thenCompose(resting -> leftForGood());
    }

    private CompletionStage<Void> leftForGood() {
        return joinedIn.map(deregistration::forGood).orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    private void end() {
        phase = Phase.ENDED;
        loop.stop();
        watches.close();
        foreignGuard.close();
        participation.end();
        leadership = new Leadership(Optional.empty(), false);
        if (connection != null) {
            connection.close();
        }
        if (clock != null) {
            clock.close();
        }
        ready.completeExceptionally(new RegistryUnavailableException(
                "Job \"%s\" was stopped before this instance had joined it".formatted(scope.jobName())));
    }

    // ------------------------------------------------------------------ the loop

    private void connectionChanged(ConnectionState state) {
        if (state.isConnected()) {
            loop.again();
        } else {
            leadership = new Leadership(leadership.leader(), false);
            participation.suspend(state == ConnectionState.LOST);
        }
    }

    private void clockWasAhead() {
        if (leadership.ours()) {
            leading.clockWasAhead();
            loop.again();
        }
    }

    private CompletionStage<Next> round() {
        Optional<RegistrySession> session = scope.connection().session();
        if (phase == Phase.DRAINING && session.filter(this::isRegisteredIn).isEmpty()) {
            ready.complete(null);
            return Next.WAIT.stage();
        }
        if (session.isEmpty() || phase == Phase.ENDED) {
            return Next.WAIT.stage();
        }
        if (!isRegisteredIn(session.get())) {
            return join(session.get());
        }
        boolean asLeader = leadership.ours() || leadership.leader().isEmpty();
        CompletionStage<JobView> view = asLeader
                ? reader.asLeader(registration.instance(), registration.ip(), leading.known())
                : reader.asMember(registration.instance(), registration.ip());
        return view.thenCompose(seen -> phase == Phase.ENDED ? Next.WAIT.stage() : act(session.get(), seen, asLeader));
    }

    private boolean isRegisteredIn(RegistrySession session) {
        return registeredIn.filter(in -> in.id() == session.id()).isPresent();
    }

    /** @param readAsLeader whether the view shows what a leader needs */
    private CompletionStage<Next> act(RegistrySession session, JobView view, boolean readAsLeader) {
        InstanceRole role = InstanceRole.of(view, session);
        leadership = new Leadership(view.leader(), role == InstanceRole.LEADER);
        return switch (role) {
            case INCOMPLETE -> awaitRemoval();
            case MISSING -> checkMissing(session);
            case REPLACED -> registerAnew();
            case CANDIDATE -> elect(session);
            case LEADER -> readAsLeader && watches.isLeader() ? drainedFirst(session, view, role) : lead();
            case FOLLOWER -> drainedFirst(session, view, role);
        };
    }

    /** A drain may have been lost with the connection. */
    private CompletionStage<Next> drainedFirst(RegistrySession session, JobView view, InstanceRole role) {
        boolean leads = role == InstanceRole.LEADER;
        if (phase != Phase.DRAINING || view.givesItsItemsAway()) {
            return participation.round(session, view, leads);
        }
        return deregistration
                .drain(session, draining)
                .thenCompose(drained -> drained && phase != Phase.ENDED
                        ? participation.round(session, view, leads)
                        : Next.AGAIN.stage());
    }

    // ------------------------------------------------------------------ joining

    private CompletionStage<Next> join(RegistrySession session) {
        joinedIn = Optional.of(session);
        return registration
                .join(session)
                .handle((outcome, error) -> error == null ? joined(session, outcome) : refused(Stages.unwrap(error)))
                .thenCompose(stage -> stage);
    }

    private CompletionStage<Next> joined(RegistrySession session, InstanceRegistration.Outcome outcome) {
        if (phase == Phase.ENDED || outcome == InstanceRegistration.Outcome.NOT_YET) {
            return Next.AGAIN.stage();
        }
        registeredIn = Optional.of(session);
        if (outcome == InstanceRegistration.Outcome.REMOVED) {
            return endHere("its configuration was removed from the registry", "register the job again");
        }
        scope.announcements().log(log, "Job \"{}\": registered as \"{}\"", scope.jobName(), registration.instance());
        if (outcome == InstanceRegistration.Outcome.AS_LEADER) {
            return lead();
        }
        watches.asFollower(registration.instance());
        return Next.AGAIN.stage();
    }

    /** A permanent failure ends this instance's part in the job, unless it has taken part before. */
    private CompletionStage<Next> refused(Throwable error) {
        if (phase == Phase.ENDED) {
            return Next.WAIT.stage();
        }
        if (error instanceof UnreadableDefinitionException unreadable && ready.isDone()) {
            definitions.report(unreadable);
            return Next.againIf(watches.unreadable()).stage();
        }
        boolean denied = error instanceof RegistryAccessDeniedException && !ready.isDone();
        if (!denied && !(error instanceof JobConflictException) && !(error instanceof UnreadableDefinitionException)) {
            return CompletableFuture.failedFuture(error);
        }
        String reason = String.valueOf(error.getMessage());
        scope.events().accept(new JobEvent.JobRefused(scope.jobName(), reason));
        listener.ended(reason);
        // Only now: the caller who waits for this may ask for the job's state.
        ready.completeExceptionally(error);
        end();
        return Next.WAIT.stage();
    }

    private CompletionStage<Next> registerAnew() {
        registeredIn = Optional.empty();
        return Next.AGAIN.stage();
    }

    // ------------------------------------------------------------------ leadership

    private CompletionStage<Next> elect(RegistrySession session) {
        RegistryCommit candidacy = MemberNodes.of(scope.tree()).elect(registration.instance());
        return scope.connection().commit(session, candidacy).thenCompose(outcome -> {
            if (!outcome.isRefusedAs(CommitOutcome.Reason.ABSENT)) {
                return Next.AGAIN.stage();
            }
            log.warn(
                    "Job \"{}\": nodes that every job needs are missing from the registry; they are created again",
                    scope.jobName());
            return registerAnew();
        });
    }

    private CompletionStage<Next> lead() {
        leadership = new Leadership(Optional.of(registration.instance()), true);
        watches.asLeader();
        listener.leads();
        scope.announcements().log(log, "Job \"{}\": \"{}\" is the leader", scope.jobName(), registration.instance());
        return Next.AGAIN.stage();
    }

    // ------------------------------------------------------------------ the end of a job, or of this instance

    /** A removal deletes node by node, and may stop halfway or meet a registration. The state after a pause counts. */
    private CompletionStage<Next> awaitRemoval() {
        participation.suspend(false);
        registeredIn = Optional.empty();
        CompletableFuture<Next> over = new CompletableFuture<>();
        scope.connection().later(REMOVAL, () -> over.complete(Next.AGAIN));
        return over;
    }

    /**
     * This instance's node is gone. If its session is alive, which only a commit can prove, an operator has deleted the
     * node.
     */
    private CompletionStage<Next> checkMissing(RegistrySession session) {
        String instance = registration.instance();
        return scope.connection()
                .commit(session, MemberNodes.of(scope.tree()).assertAbsent(instance))
                .thenCompose(outcome -> outcome.isRefusedAs(CommitOutcome.Reason.EXISTS) || phase == Phase.ENDED
                        ? Next.AGAIN.stage()
                        : endHere(
                                "an operator removed the instance \"%s\" from the registry".formatted(instance),
                                "restart the application"));
    }

    /** Other instances continue at once. Executions that still run here keep their locks until they end. */
    private CompletionStage<Next> endHere(String reason, String remedy) {
        log.warn(
                "Job \"{}\": {}, so this instance no longer runs the job. To resume, {}",
                scope.jobName(),
                reason,
                remedy);
        end();
        listener.ended(reason);
        return leftForGood().thenApply(left -> Next.WAIT);
    }
}
