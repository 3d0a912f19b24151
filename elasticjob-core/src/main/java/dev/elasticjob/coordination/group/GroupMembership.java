package dev.elasticjob.coordination.group;

import dev.elasticjob.coordination.membership.InstanceIdentity;
import dev.elasticjob.coordination.membership.Membership;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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
    /** The last one that it has tried to hold: a former session may still do. */
    private OptionalInt lastIndex = OptionalInt.empty();

    GroupMembership(GroupScope scope, InstanceIdentity identity) {
        this.scope = scope;
        this.tree = scope.tree();
        this.transactions = new GroupTransactions(tree);
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
        ownLock(session, answer)
                .ifPresent(lock -> answer.node(tree.sharding())
                        .ifPresent(
                                sharding -> commit.addAll(transactions.release(lastIndex.getAsInt(), lock, sharding))));
        return committed(session, commit.build()).thenApply(joined -> {
            if (joined) {
                lastIndex = OptionalInt.empty();
            }
            return joined;
        });
    }

    private static void createMissing(List<String> paths, RegistryAnswer answer, RegistryCommit.Builder commit) {
        paths.stream().filter(path -> answer.node(path).isEmpty()).forEach(commit::create);
    }

    private Optional<RegistryNode> ownLock(RegistrySession session, RegistryAnswer answer) {
        return lastIndex.isEmpty()
                ? Optional.empty()
                : answer.node(tree.running(lastIndex.getAsInt())).filter(node -> membership.isOurs(node, session));
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
        return scope.connection()
                .commit(session, transactions.hold(view, index))
                .thenCompose(outcome -> outcome.isCommitted()
                        ? CompletableFuture.completedFuture(Hold.HELD)
                        : scope.registry()
                                .read(RegistryRead.allData(tree.running(index), tree.index(index)))
                                .thenApply(answer -> afterRefusal(session, index, answer)));
    }

    private Hold afterRefusal(RegistrySession session, int index, RegistryAnswer answer) {
        if (answer.node(tree.running(index)).filter(session::owns).isPresent()) {
            return Hold.HELD_BEFORE;
        }
        return answer.node(tree.index(index)).isPresent() ? Hold.REFUSED : Hold.UNKNOWN_INDEX;
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
                    Optional<RegistryNode> lock = ownLock(session, answer);
                    Optional<RegistryNode> sharding = answer.node(tree.sharding());
                    return lock.isEmpty() || sharding.isEmpty()
                            ? CompletableFuture.completedFuture(true)
                            : committed(session, transactions.release(index, lock.get(), sharding.get()));
                })
                .thenApply(released -> {
                    if (released) {
                        lastIndex = OptionalInt.empty();
                    }
                    return released;
                });
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
