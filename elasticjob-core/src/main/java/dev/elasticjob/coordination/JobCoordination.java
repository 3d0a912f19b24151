package dev.elasticjob.coordination;

import dev.elasticjob.coordination.leader.ItemDivision;
import dev.elasticjob.coordination.leader.JobLeader;
import dev.elasticjob.coordination.manual.OperatorTriggers;
import dev.elasticjob.coordination.membership.DefinitionAgreement;
import dev.elasticjob.coordination.membership.DefinitionReader;
import dev.elasticjob.coordination.membership.Deregistration;
import dev.elasticjob.coordination.membership.ForeignInstanceGuard;
import dev.elasticjob.coordination.membership.InstanceIdentity;
import dev.elasticjob.coordination.membership.InstanceRegistration;
import dev.elasticjob.coordination.membership.MembershipTransactions;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.session.SharedConnection;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.definition.JobConflictException;
import dev.elasticjob.definition.JobDefinition;
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
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One job on this instance, as far as the others are concerned: the loop that looks at the job's nodes, joins, stands
 * for election, plans when it leads, and tells what this instance owns. Whatever happens only means "look again".
 *
 * <p>Confined to the coordination executor, but for {@link #leader()} and {@link #isLeader()}.
 */
public final class JobCoordination {
    private static final Logger log = LoggerFactory.getLogger(JobCoordination.class);
    private static final Duration REMOVAL = Duration.ofSeconds(1);
    private static final CompletionStage<Boolean> NOTHING_MORE = CompletableFuture.completedFuture(false);
    private static final CompletionStage<Boolean> ONCE_MORE = CompletableFuture.completedFuture(true);

    private final JobScope scope;
    private final ForeignInstanceGuard foreignGuard;
    private final InstanceRegistration registration;
    private final Deregistration deregistration;
    private final DefinitionReader definitions;
    private final OwnershipPublisher news;
    private final JobViewReader reader;
    private final JobLeader leading;
    private final JobWatches watches;
    private final OperatorTriggers operators;
    private final RunAtStart runAtStart;
    private final CoordinationListener listener;
    private final ReconcileLoop loop;
    private final CompletableFuture<Void> joined = new CompletableFuture<>();

    private @Nullable RegistrySession registeredIn;
    /** The newest session in which this instance may have shown itself. */
    private @Nullable RegistrySession joinedIn;

    private @Nullable Subscription connection;
    private boolean draining;
    private boolean ended;
    private volatile Leadership leadership = new Leadership(Optional.empty(), false);

    public JobCoordination(
            JobScope scope,
            JobDefinition local,
            InstanceIdentity identity,
            ItemDivision division,
            OnForeignInstance onForeignInstance,
            CoordinationListener listener) {
        this.scope = scope;
        this.listener = listener;
        this.foreignGuard = new ForeignInstanceGuard(scope, onForeignInstance, this::lookAgain);
        this.definitions = new DefinitionReader(scope, local);
        DefinitionAgreement agreement = new DefinitionAgreement(scope, local, definitions);
        this.registration = new InstanceRegistration(scope, agreement, identity, foreignGuard);
        this.deregistration = new Deregistration(scope, registration);
        this.news = new OwnershipPublisher(scope, listener);
        this.reader = new JobViewReader(scope);
        this.loop =
                new ReconcileLoop("Job \"" + scope.jobName() + "\"", scope.connection(), scope.executor(), this::round);
        this.leading = new JobLeader(scope, reader, division, foreignGuard, loop::again);
        this.watches = new JobWatches(scope, loop::again);
        this.operators = new OperatorTriggers(scope);
        this.runAtStart = new RunAtStart(scope, registration);
    }

    /**
     * Joins the job, and keeps taking part.
     *
     * @return completes when this instance is registered and follows an assignment; fails with {@link JobConflictException},
     *     {@link UnreadableDefinitionException} or {@link RegistryAccessDeniedException} when it can't be
     */
    public CompletionStage<Void> start() {
        if (!ended) {
            connection = scope.connection().onChange(this::connectionChanged);
            loop.again();
        }
        return joined;
    }

    /** Looks at everything again: for whoever met something that this instance doesn't know yet. */
    public void lookAgain() {
        loop.again();
    }

    /** The id of the leader, as this instance last saw it. */
    public Optional<String> leader() {
        return leadership.leader();
    }

    /** Whether this instance leads, as it last saw it. */
    public boolean isLeader() {
        return leadership.ours();
    }

    /** The id of this instance, final once it has joined. */
    public String instance() {
        return registration.instance();
    }

    /** The node that showed this instance in the present session, at least once; empty while it hasn't. */
    public Optional<String> instanceNode() {
        Optional<RegistrySession> session = scope.connection().session();
        return session.filter(now -> registeredIn != null && registeredIn.id() == now.id())
                .map(now -> scope.tree().instance(registration.instance()));
    }

    /**
     * Gives this instance's items away while some of them still run here. It stays registered until it leaves, though not
     * in a new session.
     */
    public void drain() {
        draining = true;
        deregistration.drain();
    }

    /**
     * Takes no further part: nothing of this instance is left in the registry but what it did. A round that is under
     * way ends first, or it might register this instance once more.
     *
     * @return completes when it has left, or could not because the registry is away; then its session's end does it
     */
    public CompletionStage<Void> leave() {
        end();
        return loop.stop().thenComposeAsync(resting -> deregistration.now(), scope.executor());
    }

    /**
     * The same while this process and its session live on, so that nobody else would delete what it owns here: tries as
     * long as that session lives.
     *
     * @return completes when it has left, or the session is over
     */
    public CompletionStage<Void> leaveForGood() {
        end();
        return loop.stop().thenComposeAsync(resting -> leftForGood(), scope.executor());
    }

    private CompletionStage<Void> leftForGood() {
        return joinedIn == null ? CompletableFuture.completedFuture(null) : deregistration.forGood(joinedIn);
    }

    private void end() {
        ended = true;
        loop.stop();
        watches.close();
        foreignGuard.close();
        leading.resign();
        leadership = new Leadership(Optional.empty(), false);
        if (connection != null) {
            connection.close();
        }
        joined.completeExceptionally(new RegistryUnavailableException("The job was stopped before it had joined"));
    }

    // ------------------------------------------------------------------ the loop

    private void connectionChanged(ConnectionState state) {
        if (state.isConnected()) {
            loop.again();
        } else {
            leadership = new Leadership(leadership.leader(), false);
            news.suspend(state == ConnectionState.LOST);
        }
    }

    private CompletionStage<Boolean> round() {
        Optional<RegistrySession> session = scope.connection().session();
        if (session.isEmpty() || ended) {
            return NOTHING_MORE;
        }
        if (registeredIn == null || registeredIn.id() != session.get().id()) {
            return draining ? NOTHING_MORE : join(session.get());
        }
        boolean leads = leadership.ours() || leadership.leader().isEmpty();
        CompletionStage<JobView> view = leads
                ? reader.asLeader(registration.instance(), registration.ip(), leading.known())
                : reader.asMember(registration.instance(), registration.ip());
        return view.thenComposeAsync(seen -> act(session.get(), seen, leads), scope.executor());
    }

    private CompletionStage<Boolean> join(RegistrySession session) {
        joinedIn = session;
        return registration
                .join(session)
                .handle((outcome, error) -> error == null
                        ? joined(session, outcome)
                        : CompletableFuture.completedFuture(refused(SharedConnection.unwrap(error))))
                .thenCompose(stage -> stage);
    }

    private CompletionStage<Boolean> joined(RegistrySession session, InstanceRegistration.Outcome outcome) {
        if (outcome == InstanceRegistration.Outcome.REMOVED && !ended) {
            registeredIn = session;
            return removed();
        }
        if (outcome != InstanceRegistration.Outcome.NOT_YET && !ended) {
            registeredIn = session;
            scope.announcements()
                    .tell(log, "Job \"{}\": registered as \"{}\"", scope.jobName(), registration.instance());
            if (outcome == InstanceRegistration.Outcome.AS_LEADER) {
                lead();
            } else {
                watches.asFollower(registration.instance());
            }
        }
        return ONCE_MORE;
    }

    private void lead() {
        leadership = new Leadership(Optional.of(registration.instance()), true);
        watches.asLeader();
        scope.announcements().tell(log, "Job \"{}\": \"{}\" is the leader", scope.jobName(), registration.instance());
    }

    /** What can't be mended by trying again ends this instance's part in the job. */
    private boolean refused(Throwable error) {
        if (ended) {
            return false;
        }
        if (error instanceof UnreadableDefinitionException unreadable && joined.isDone()) {
            // Whoever has taken part once waits until it is mended.
            definitions.report(unreadable);
            return watches.unreadable();
        }
        // Whoever has taken part once waits until the permissions are mended.
        boolean denied = error instanceof RegistryAccessDeniedException && !joined.isDone();
        if (!denied && !(error instanceof JobConflictException) && !(error instanceof UnreadableDefinitionException)) {
            throw new CompletionException(error);
        }
        joined.completeExceptionally(error);
        scope.events().accept(new JobEvent.JobRefused(scope.jobName(), String.valueOf(error.getMessage())));
        end();
        listener.ended(String.valueOf(error.getMessage()));
        return false;
    }

    /** @param readAsLeader whether the view shows what a leader needs */
    private CompletionStage<Boolean> act(RegistrySession session, JobView view, boolean readAsLeader) {
        if (ended) {
            return NOTHING_MORE;
        }
        if (!view.isInitialised()) {
            return incomplete();
        }
        if (view.ownInstance().filter(session::owns).isEmpty()) {
            return view.ownInstance().isPresent() ? registerAnew() : missing(session);
        }
        view.ownInstance().ifPresent(node -> scope.registryTime().observePast(node.created()));
        leadership = new Leadership(view.leader(), view.isLedBy(session));
        if (view.leader().isEmpty()) {
            return elect(session);
        }
        if (leadership.ours() && !(watches.isLeader() && readAsLeader)) {
            lead();
            return ONCE_MORE;
        }
        Optional<JobDefinition> definition = definitions.usable(view);
        if (definition.isEmpty()) {
            return unreadable(session, view);
        }
        watches.readable();
        if (!leadership.ours() || leading.knowsWhoPlanned(view)) {
            news.tell(session, view, definition.get());
        }
        view.assignment().ifPresent(known -> joined.complete(null));
        Optional<CompletionStage<Boolean>> answered = operators
                .answer(session, view, registration.ip())
                .or(() -> runAtStart.next(session, view, definition.get()));
        return answered.orElseGet(() -> takePart(session, view, definition.get()));
    }

    private CompletionStage<Boolean> takePart(RegistrySession session, JobView view, JobDefinition definition) {
        if (!leadership.ours()) {
            leading.resign();
            return watches.asFollower(registration.instance())
                    ? ONCE_MORE
                    : foreignGuard.follow(session, view).thenApply(Next.AGAIN::equals);
        }
        return leading.round(session, view, definition).thenApply(Next.AGAIN::equals);
    }

    /**
     * Somebody has made the definition or the assignment unreadable. Claims are guarded by their versions, and what a plan
     * is made from isn't known any more: so nothing new begins until it is mended, which is watched for. What is executing
     * goes on. It may be other software that has written it: so it is looked for as ever.
     */
    private CompletionStage<Boolean> unreadable(RegistrySession session, JobView view) {
        leading.resign();
        news.suspend(false);
        if (watches.unreadable()) {
            return ONCE_MORE;
        }
        return (leadership.ours() ? leading.lookForForeigners(view) : foreignGuard.follow(session, view))
                .thenApply(Next.AGAIN::equals);
    }

    /** A removal goes node by node, and may break off, or meet a registration: what is there after a pause counts. */
    private CompletionStage<Boolean> incomplete() {
        news.suspend(false);
        registeredIn = null;
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        scope.connection().later(REMOVAL, () -> over.complete(true));
        return over;
    }

    /** A stranger, or a former session of ours, is where we were. */
    private CompletionStage<Boolean> registerAnew() {
        registeredIn = null;
        return ONCE_MORE;
    }

    /**
     * Our node is gone, and only somebody else can have deleted it, if our session lives: which a commit tells and a
     * read, an event or the client's opinion doesn't.
     */
    private CompletionStage<Boolean> missing(RegistrySession session) {
        return scope.connection()
                .commit(session, new MembershipTransactions(scope.tree()).assertAbsent(registration.instance()))
                .thenComposeAsync(
                        outcome -> {
                            boolean there = outcome instanceof CommitOutcome.Refused refused
                                    && refused.reason() == CommitOutcome.Reason.EXISTS;
                            return there || ended ? ONCE_MORE : stopped();
                        },
                        scope.executor());
    }

    private CompletionStage<Boolean> stopped() {
        log.warn(
                "Job \"{}\": an operator removed the instance \"{}\" from the registry, so this application no longer"
                        + " runs the job. To resume, restart the application",
                scope.jobName(),
                registration.instance());
        return endHere("an operator stopped the job on this instance");
    }

    private CompletionStage<Boolean> removed() {
        log.warn(
                "Job \"{}\": its configuration was removed from the registry, so this application no longer runs the"
                        + " job. To resume, register the job again",
                scope.jobName());
        return endHere("its configuration was removed from the registry");
    }

    /** The others go on at once; what still runs here keeps its locks until it ends. */
    private CompletionStage<Boolean> endHere(String reason) {
        end();
        listener.ended(reason);
        return leftForGood().thenApply(left -> false);
    }

    private CompletionStage<Boolean> elect(RegistrySession session) {
        RegistryCommit candidacy = new MembershipTransactions(scope.tree()).elect(registration.instance());
        return scope.connection().commit(session, candidacy).thenApply(outcome -> {
            if (outcome instanceof CommitOutcome.Refused refused && refused.reason() == CommitOutcome.Reason.ABSENT) {
                log.warn(
                        "Job \"{}\": nodes that every job needs are missing from the registry; they are created"
                                + " again",
                        scope.jobName());
                registeredIn = null;
            }
            return true;
        });
    }

    private record Leadership(Optional<String> leader, boolean ours) {}
}
