package dev.elasticjob.coordination.group;

import dev.elasticjob.coordination.membership.InstanceIdentity;
import dev.elasticjob.coordination.membership.Membership;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transactions in which this instance itself joins a group, holds an index, gives it back, and leaves. Each method is
 * one attempt; the result says whether it was carried out. Confined to the coordination executor.
 */
final class GroupMembership {
    private static final Logger log = LoggerFactory.getLogger(GroupMembership.class);

    private final GroupScope scope;
    private final GroupTree tree;
    private final GroupTransactions transactions;
    private final Membership membership;
    private final LocalIndexes local;
    /** The last one that it has tried to hold: a former session may still do. */
    private OptionalInt lastIndex = OptionalInt.empty();
    /** The session in which an attempt to hold it has not been decided. */
    private Optional<RegistrySession> undecided = Optional.empty();

    private boolean underWay;

    /** @param local what the other participants of this process hold of the group */
    GroupMembership(GroupScope scope, InstanceIdentity identity, LocalIndexes local) {
        this.scope = scope;
        this.tree = scope.tree();
        this.transactions = new GroupTransactions(tree);
        this.local = local;
        this.membership = new Membership(tree.members(), identity, GroupCodec::instance);
    }

    String instance() {
        return membership.instance();
    }

    /** Creates what is missing of the group, shows this instance, and stands for election. */
    CompletionStage<Boolean> join(RegistrySession session) {
        List<RegistryRead> reads = new ArrayList<>(membership.reads());
        reads.addAll(RegistryRead.allData(tree.ancestors()));
        reads.addAll(RegistryRead.allData(tree.parents()));
        lastIndex.ifPresent(index -> reads.add(RegistryRead.data(tree.running(index))));
        return scope.registry().read(reads).thenCompose(answer -> join(session, answer));
    }

    private CompletionStage<Boolean> join(RegistrySession session, RegistryAnswer answer) {
        if (membership.hasCollided(session, answer)) {
            log.info(
                    "Group \"{}\": another process is registered under this instance's id; trying the id \"{}\"",
                    scope.name(),
                    instance());
            return CompletableFuture.completedFuture(false);
        }
        RegistryCommit.Builder commit = RegistryCommit.builder();
        createMissing(tree.ancestors(), answer, commit);
        createMissing(tree.parents(), answer, commit);
        commit.addAll(membership.show(session, answer)).addAll(membership.stand(session, answer));
        commit.addAll(giveBack(session, answer));
        return committed(session, commit.build()).thenApply(this::forgetIf);
    }

    private static void createMissing(List<String> paths, RegistryAnswer answer, RegistryCommit.Builder commit) {
        paths.stream().filter(path -> answer.node(path).isEmpty()).forEach(commit::create);
    }

    /** Deletes the lock of the index that it held last, if there is one. */
    private RegistryCommit giveBack(RegistrySession session, RegistryAnswer answer) {
        return lastIndex.stream()
                .boxed()
                .flatMap(index -> answer.node(tree.running(index)).stream()
                        .filter(lock -> membership.isOurs(lock, session))
                        .flatMap(lock -> answer.node(tree.sharding()).stream()
                                .map(sharding -> transactions.release(Map.of(index, lock), sharding))))
                .findFirst()
                .orElseGet(() -> RegistryCommit.builder().build());
    }

    /**
     * Gives back what a former participant of this process has left behind in the session: of this engine, or of one that
     * was closed while it had no connection. Called after a commit of this session, so that the answer shows everything
     * that was carried out in it before.
     *
     * @return whether nothing is left
     */
    CompletionStage<Boolean> giveBackLeftovers(RegistrySession session) {
        return scope.registry()
                .read(List.of(RegistryRead.data(tree.sharding()), RegistryRead.children(tree.sharding())))
                .thenCompose(answer -> {
                    NavigableSet<Integer> indexes = JobTree.itemNumbers(answer.children(tree.sharding()));
                    return scope.registry()
                            .read(RegistryRead.allData(
                                    indexes.stream().map(tree::running).toList()))
                            .thenCompose(locks -> {
                                Map<Integer, RegistryNode> leftOver = leftOver(session, indexes, locks);
                                return leftOver.isEmpty()
                                        ? CompletableFuture.completedFuture(true)
                                        : committed(
                                                session,
                                                transactions.release(
                                                        leftOver,
                                                        answer.node(tree.sharding())
                                                                .orElseThrow()));
                            });
                });
    }

    private Map<Integer, RegistryNode> leftOver(
            RegistrySession session, NavigableSet<Integer> indexes, RegistryAnswer locks) {
        Map<Integer, RegistryNode> left = new TreeMap<>();
        indexes.stream()
                .filter(index -> !local.isHeldByAnother(this, index))
                .forEach(index ->
                        locks.node(tree.running(index)).filter(session::owns).ifPresent(lock -> left.put(index, lock)));
        return left;
    }

    /** Nothing of the index is left, if that was carried out. */
    private boolean forgetIf(boolean carriedOut) {
        if (carriedOut) {
            lastIndex = OptionalInt.empty();
            local.release(this);
        }
        return carriedOut;
    }

    /** Shows this instance as another member: it was left out, and has stopped now. */
    CompletionStage<Boolean> joinAnew(RegistrySession session) {
        return scope.registry()
                .read(membership.reads())
                .thenCompose(answer ->
                        membership.holder(answer).filter(session::owns).isPresent()
                                ? committed(session, membership.showAnew(answer))
                                : CompletableFuture.completedFuture(false));
    }

    CompletionStage<Boolean> elect(RegistrySession session) {
        return committed(session, tree.members().elect(instance()));
    }

    /** What became of an attempt to hold an index. */
    enum Hold {
        HELD,
        /** It was held in a transaction whose answer was lost. */
        HELD_BEFORE,
        REFUSED,
        /** The index has no node. */
        UNKNOWN_INDEX
    }

    /** Takes the index, as long as the assignment is in force. */
    CompletionStage<Hold> hold(RegistrySession session, GroupView view, int index) {
        lastIndex = OptionalInt.of(index);
        local.hold(this, index);
        undecided = Optional.of(session);
        underWay = true;
        return scope.connection()
                .commit(session, transactions.hold(view, index))
                .thenCompose(outcome ->
                        outcome.isCommitted() ? CompletableFuture.completedFuture(decided(Hold.HELD)) : decide(session))
                .whenComplete((hold, error) -> underWay = false);
    }

    /** Whether it may turn out that an index is held, because the answer to the attempt was lost. */
    boolean isUndecided() {
        return underWay || undecided.isPresent();
    }

    /** From now on, attempts in former sessions count as decided: they are never sent again. */
    void sessionIs(Optional<RegistrySession> present) {
        undecided = undecided.filter(
                in -> present.filter(now -> now.id() == in.id()).isPresent());
    }

    /** What became of the last attempt, as its session sees it. */
    CompletionStage<Hold> decide(RegistrySession session) {
        int index = lastIndex.orElseThrow();
        return scope.registry()
                .read(RegistryRead.allData(tree.running(index), tree.index(index)))
                .thenApply(answer -> {
                    if (answer.node(tree.running(index)).filter(session::owns).isPresent()) {
                        return decided(Hold.HELD_BEFORE);
                    }
                    return decided(answer.node(tree.index(index)).isPresent() ? Hold.REFUSED : Hold.UNKNOWN_INDEX);
                });
    }

    private Hold decided(Hold hold) {
        undecided = Optional.empty();
        return hold;
    }

    /** Gives back the index that it held last; true if nothing of it is left. */
    CompletionStage<Boolean> release(RegistrySession session) {
        if (lastIndex.isEmpty()) {
            return CompletableFuture.completedFuture(true);
        }
        int index = lastIndex.getAsInt();
        return scope.registry()
                .read(RegistryRead.allData(tree.sharding(), tree.running(index)))
                .thenCompose(answer -> {
                    RegistryCommit commit = giveBack(session, answer);
                    return commit.isEmpty() ? CompletableFuture.completedFuture(true) : committed(session, commit);
                })
                .thenApply(this::forgetIf);
    }

    /** This participant does nothing more. */
    void end() {
        forgetIf(true);
    }

    /** Requests a new assignment. */
    CompletionStage<Boolean> request(RegistrySession session, GroupView view) {
        return committed(session, transactions.request(view.request()));
    }

    /** Whether this instance's node is gone, as its living session says. */
    CompletionStage<Boolean> isGone(RegistrySession session) {
        return committed(session, tree.members().assertAbsent(instance()));
    }

    /** Deletes this instance's node, and its leadership; true if nothing of them is left. */
    CompletionStage<Boolean> leave(RegistrySession session) {
        List<RegistryRead> reads = new ArrayList<>(membership.reads());
        reads.addAll(RegistryRead.allData(tree.flags(), tree.necessary()));
        return scope.registry().read(reads).thenCompose(answer -> {
            RegistryCommit withdrawal = membership.withdraw(session, answer);
            if (withdrawal.isEmpty()) {
                return CompletableFuture.completedFuture(true);
            }
            RegistryCommit.Builder commit = RegistryCommit.builder().addAll(withdrawal);
            if (answer.node(tree.flags()).isPresent()) {
                commit.addAll(transactions.request(answer.node(tree.necessary())));
            }
            return committed(session, commit.build());
        });
    }

    private CompletionStage<Boolean> committed(RegistrySession session, RegistryCommit commit) {
        return scope.connection().commit(session, commit).thenApply(CommitOutcome::isCommitted);
    }
}
