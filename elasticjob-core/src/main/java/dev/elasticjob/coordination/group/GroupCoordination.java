package dev.elasticjob.coordination.group;

import dev.elasticjob.coordination.group.GroupAssignment.Member;
import dev.elasticjob.coordination.group.IndexHolder.Held;
import dev.elasticjob.coordination.group.IndexHolder.State;
import dev.elasticjob.coordination.membership.InstanceIdentity;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.group.ShardAssignment;
import dev.elasticjob.group.ShardingNotice;
import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.RegistryAccessDeniedException;
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
 * One group on this instance: a loop that reads the group's nodes and does what follows. It joins, holds the index that it
 * is assigned, stops when the assignment ends, and leads the group if it is elected. Every event only means "read again".
 *
 * <p>Confined to the coordination executor.
 */
public final class GroupCoordination {
    private static final Logger log = LoggerFactory.getLogger(GroupCoordination.class);
    private static final Duration REMOVAL = Duration.ofSeconds(1);

    private final GroupScope scope;
    private final GroupMembership membership;
    private final IndexHolder holder;
    private final GroupLeader leading;
    private final GroupWatches watches;
    private final ReconcileLoop loop;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final GroupDeparture departure;

    private Optional<RegistrySession> registeredIn = Optional.empty();
    private boolean leads;
    /** Whether a former participant of this process may have left something behind in this session. */
    private boolean leftoversUnknown;

    private @Nullable Subscription connection;
    /** The executor's writes are for {@link #instance()}, which any thread may ask. */
    private volatile String instance;

    private volatile boolean registered;

    /** @param local what the other participants of this process hold of the group */
    public GroupCoordination(GroupScope scope, InstanceIdentity identity, ShardingNotice notice, LocalIndexes local) {
        this.scope = scope;
        this.loop = scope.loop(this::round);
        this.membership = new GroupMembership(scope, identity, local);
        this.holder = new IndexHolder(scope, notice, membership::instance, loop::again);
        this.leading = new GroupLeader(scope, loop::again);
        this.watches = new GroupWatches(scope, loop::again);
        this.departure = new GroupDeparture(scope, holder, membership::isUndecided, this::end);
        this.instance = membership.instance();
    }

    /**
     * Joins the group, and keeps taking part.
     *
     * @return completes when this instance is registered; fails with {@link RegistryAccessDeniedException} when it can't be,
     *     and with {@link RegistryUnavailableException} if it leaves before
     */
    public CompletionStage<Void> start() {
        if (!departure.isOver() && connection == null) {
            connection = scope.connection().onChange(this::connectionChanged);
            loop.again();
        }
        return ready.copy();
    }

    public GroupTree tree() {
        return scope.tree();
    }

    /** The id of this instance; empty before it has registered. May be called by any thread. */
    public Optional<String> instance() {
        return registered ? Optional.of(instance) : Optional.empty();
    }

    /** The node that has shown this instance in the present session; empty before it has registered. */
    public Optional<String> instanceNode() {
        return scope.connection()
                .session()
                .filter(this::isRegisteredIn)
                .map(now -> scope.tree().instance(membership.instance()));
    }

    /** Whether it holds an index, or some of the application's code still runs. */
    public boolean holdsIndex() {
        return !holder.isIdle();
    }

    /** Tells the application to stop where the lease is over. */
    public void stopWithoutLease() {
        holder.stopWithoutLease();
    }

    /** Interrupts the application's code. */
    public void interrupt() {
        holder.interrupt();
    }

    // ------------------------------------------------------------------ the end

    /**
     * Tells the application to stop, and holds no index afterwards.
     *
     * @return completes when it has stopped, and the index is given back
     */
    public CompletionStage<Void> drain() {
        if (!departure.hasBegun()) {
            departure.drain();
            ready.completeExceptionally(new RegistryUnavailableException("The group was left before it was joined"));
            holder.stop("this instance leaves the group");
            loop.again();
        }
        return departure.idle();
    }

    /** Completes when none of the application's code runs any more, nor will. Begins with {@link #drain}. */
    public CompletionStage<Void> returned() {
        return departure.returned();
    }

    /**
     * Deletes this instance's nodes; an index whose holder has not returned stays its own.
     *
     * @return completes when they are deleted, or there is no connection: then the end of its session has the same effect
     */
    public CompletionStage<Void> leave() {
        return leave(false);
    }

    /** The same while this process and its session live on: tries as long as the session does. */
    public CompletionStage<Void> leaveForGood() {
        return leave(true);
    }

    private CompletionStage<Void> leave(boolean sessionLivesOn) {
        drain();
        departure.leave(sessionLivesOn, connection == null);
        loop.again();
        return departure.left();
    }

    private void end() {
        loop.stop();
        watches.close();
        leading.resign();
        membership.end();
        if (connection != null) {
            connection.close();
        }
    }

    // ------------------------------------------------------------------ the loop

    private void connectionChanged(ConnectionState state) {
        if (state.isConnected()) {
            loop.again();
            return;
        }
        if (state == ConnectionState.LOST) {
            holder.stop("its registry session has expired");
            membership.sessionIs(Optional.empty());
        }
        departure.settle();
    }

    private CompletionStage<Next> round() {
        Optional<RegistrySession> session = scope.connection().session();
        if (session.isPresent()) {
            membership.sessionIs(session);
        }
        departure.settle();
        if (session.isEmpty() || departure.isOver()) {
            return Next.WAIT.stage();
        }
        holder.held()
                .filter(held -> held.session() != session.get().id())
                .ifPresent(former -> holder.stop("its registry session has expired"));
        if (membership.isUndecided()) {
            return membership.decide(session.get()).thenApply(this::decided);
        }
        if (!isRegisteredIn(session.get())) {
            return notRegistered(session.get());
        }
        if (leftoversUnknown) {
            return membership.giveBackLeftovers(session.get()).thenApply(given -> {
                leftoversUnknown = !given;
                return Next.AGAIN;
            });
        }
        if (departure.hasToWithdraw()) {
            return leave(session.get());
        }
        if (holder.state() == State.RETURNED) {
            return release(session.get());
        }
        return departure.isLeaving() ? Next.WAIT.stage() : look(session.get());
    }

    private boolean isRegisteredIn(RegistrySession session) {
        return registeredIn.filter(in -> in.id() == session.id()).isPresent();
    }

    /** What is left of a former session is deleted too, but for an index whose holder has not returned. */
    private CompletionStage<Next> notRegistered(RegistrySession session) {
        if (!holder.isIdle()) {
            return Next.WAIT.stage();
        }
        if (departure.hasBegun()) {
            if (holder.state() == State.RETURNED) {
                return release(session);
            }
            return departure.hasToWithdraw() ? leave(session) : Next.WAIT.stage();
        }
        return membership
                .join(session)
                .handle((joined, error) -> {
                    if (error == null) {
                        return joined ? joined(session) : Next.AGAIN.stage();
                    }
                    return refused(Stages.unwrap(error));
                })
                .thenCompose(stage -> stage);
    }

    private CompletionStage<Next> joined(RegistrySession session) {
        registeredIn = Optional.of(session);
        leftoversUnknown = true;
        leads = false;
        instance = membership.instance();
        registered = true;
        if (holder.state() == State.RETURNED) {
            holder.released();
        }
        log.info("Group \"{}\": registered as \"{}\"", scope.name(), membership.instance());
        ready.complete(null);
        return Next.AGAIN.stage();
    }

    private CompletionStage<Next> refused(Throwable error) {
        if (!(error instanceof RegistryAccessDeniedException) || ready.isDone()) {
            return CompletableFuture.failedFuture(error);
        }
        ready.completeExceptionally(error);
        departure.giveUp();
        return Next.WAIT.stage();
    }

    private CompletionStage<Next> leave(RegistrySession session) {
        return membership.leave(session).thenApply(gone -> {
            if (gone) {
                log.info("Group \"{}\": this instance has left", scope.name());
                departure.withdrawn();
            }
            return Next.AGAIN;
        });
    }

    private CompletionStage<Next> release(RegistrySession session) {
        return membership.release(session).thenApply(released -> {
            if (released && holder.state() == State.RETURNED) {
                holder.released();
                departure.settle();
            }
            return Next.AGAIN;
        });
    }

    // ------------------------------------------------------------------ a member's part

    private CompletionStage<Next> look(RegistrySession session) {
        if (watches.asMember(membership.instance())) {
            return Next.AGAIN.stage();
        }
        return scope.registry()
                .read(GroupView.reads(scope.tree(), membership.instance()))
                .thenCompose(answer -> departure.isLeaving() || departure.isOver()
                        ? Next.AGAIN.stage()
                        : act(session, new GroupView(scope.tree(), membership.instance(), answer)));
    }

    private CompletionStage<Next> act(RegistrySession session, GroupView view) {
        Optional<Member> own = view.own(session);
        if (!view.isComplete() || own.isEmpty()) {
            holder.stop("this instance's node is gone from the registry");
            return awaitRemoval(session);
        }
        GroupAssignment assignment = view.assignment();
        holder.held()
                .filter(held -> held.version() != view.sharding().version())
                .ifPresent(over -> holder.stop("a new assignment is being made"));
        if (holder.state() == State.RETURNED) {
            return Next.AGAIN.stage();
        }
        if (holder.state() == State.IDLE && !departure.hasBegun()) {
            Optional<Integer> index = assignment.indexOf(own.get());
            if (index.isPresent()) {
                return hold(session, view, index.get());
            }
            if (!assignment.isStopping() && assignment.leftOut().contains(own.get())) {
                return membership.joinAnew(session).thenApply(joined -> Next.AGAIN);
            }
        }
        return lead(session, view);
    }

    private CompletionStage<Next> hold(RegistrySession session, GroupView view, int index) {
        return membership.hold(session, view, index).thenCompose(hold -> switch (hold) {
            case HELD -> {
                held(session, view, index);
                yield Next.AGAIN.stage();
            }
            case UNKNOWN_INDEX -> membership.request(session, view).thenApply(requested -> Next.AGAIN);
            case HELD_BEFORE, REFUSED -> CompletableFuture.completedFuture(decided(hold));
        });
    }

    /** What was held in a transaction whose answer was lost is given back: the work on it has never begun. */
    private Next decided(GroupMembership.Hold hold) {
        if (hold == GroupMembership.Hold.HELD_BEFORE) {
            holder.takeWithoutBeginning();
        }
        return Next.AGAIN;
    }

    private void held(RegistrySession session, GroupView view, int index) {
        if (departure.hasBegun()) {
            holder.takeWithoutBeginning();
            return;
        }
        GroupAssignment assignment = view.assignment();
        var share = new ShardAssignment(
                index, assignment.members().size(), view.sharding().mzxid(), assignment.ids());
        scope.holds().accept(session);
        holder.begin(new Held(share, view.sharding().version(), session.id()));
    }

    /**
     * A removal deletes node by node, and may break off: what is there after a pause counts. If only this instance's node is
     * gone in its living session, which only a commit can tell, an operator has taken it out of the group.
     */
    private CompletionStage<Next> awaitRemoval(RegistrySession session) {
        leads = false;
        leading.resign();
        CompletableFuture<Void> over = new CompletableFuture<>();
        scope.connection().later(REMOVAL, () -> over.complete(null));
        return over.thenCompose(paused -> scope.registry().read(GroupView.reads(scope.tree(), membership.instance())))
                .thenCompose(answer -> {
                    GroupView view = new GroupView(scope.tree(), membership.instance(), answer);
                    if (view.isComplete() && view.own(session).isPresent()) {
                        return Next.AGAIN.stage();
                    }
                    if (!view.isComplete()) {
                        log.warn(
                                "Group \"{}\": nodes that every group needs are missing from the registry; they are"
                                        + " created again",
                                scope.name());
                        registeredIn = Optional.empty();
                        return Next.AGAIN.stage();
                    }
                    return checkGone(session);
                });
    }

    private CompletionStage<Next> checkGone(RegistrySession session) {
        return membership.isGone(session).thenApply(gone -> {
            if (gone) {
                log.warn(
                        "Group \"{}\": an operator removed the instance \"{}\" from the registry, so it takes no part in"
                                + " the group any more. To resume, restart the application",
                        scope.name(),
                        membership.instance());
                leave();
            } else {
                registeredIn = Optional.empty();
            }
            return Next.AGAIN;
        });
    }

    private CompletionStage<Next> lead(RegistrySession session, GroupView view) {
        if (view.leader().isEmpty()) {
            return membership.elect(session).thenApply(elected -> Next.AGAIN);
        }
        if (!session.owns(view.leader().get())) {
            leads = false;
            leading.resign();
            watches.asFollower();
            return Next.WAIT.stage();
        }
        if (!leads) {
            leads = true;
            log.info("Group \"{}\": \"{}\" is the leader", scope.name(), membership.instance());
        }
        return watches.asLeader() ? Next.AGAIN.stage() : leading.round(session, view);
    }
}
