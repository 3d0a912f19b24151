package dev.elasticjob.coordination.membership;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.ServerState;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.definition.JobConflictException;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How an instance joins a job and leaves it: the nodes of the job are made where they are missing, the definition is
 * agreed on, and the instance shows itself. One read and one transaction; refused, it looks again.
 *
 * <p>Confined to the coordination executor.
 */
public final class InstanceRegistration {
    private static final Logger log = LoggerFactory.getLogger(InstanceRegistration.class);

    private final JobScope scope;
    private final InstanceIdentity identity;
    private final ForeignInstanceGuard foreignGuard;
    private final MembershipTransactions transactions;
    private final DefinitionAgreement definitions;
    private final Set<Long> ownSessions = new HashSet<>();
    private int collisions;
    /** The newest session in which it was registered; 0 before the first. */
    private long joinedIn;

    private boolean metNobody;

    public InstanceRegistration(
            JobScope scope,
            DefinitionAgreement definitions,
            InstanceIdentity identity,
            ForeignInstanceGuard foreignGuard) {
        this.scope = scope;
        this.foreignGuard = foreignGuard;
        this.definitions = definitions;
        this.identity = identity;
        this.transactions = new MembershipTransactions(scope.tree());
    }

    /** What became of an attempt to join. */
    public enum Outcome {
        /** Refused, or the id is taken: to be tried again. */
        NOT_YET,
        /** The job's configuration has gone since this session has joined: nothing of it is made anew. */
        REMOVED,
        AS_MEMBER,
        AS_LEADER
    }

    /** The id under which this process takes part; final once it has joined. */
    public String instance() {
        return identity.id(collisions);
    }

    public String ip() {
        return identity.ip();
    }

    /**
     * One attempt at joining in the session.
     *
     * @return fails with {@link JobConflictException} or
     *     {@link dev.elasticjob.definition.UnreadableDefinitionException}
     */
    public CompletionStage<Outcome> join(RegistrySession session) {
        return scope.registry()
                .read(reads())
                .thenComposeAsync(
                        answer -> joinedIn == 0
                                ? foreignGuard
                                        .mayJoin(answer.children(scope.tree().instances()))
                                        .thenComposeAsync(may -> join(session, answer), scope.executor())
                                : join(session, answer),
                        scope.executor());
    }

    private List<RegistryRead> reads() {
        JobTree tree = scope.tree();
        List<String> paths = new ArrayList<>(tree.parents());
        paths.addAll(List.of(
                tree.root(),
                tree.config(),
                tree.extension(),
                tree.sharding(),
                tree.server(ip()),
                tree.instance(instance()),
                tree.triggerOf(instance()),
                tree.drain(instance()),
                tree.leader()));
        List<RegistryRead> reads =
                new ArrayList<>(paths.stream().map(RegistryRead::data).toList());
        reads.add(RegistryRead.children(tree.instances()));
        return reads;
    }

    /** Whether no instance was there when it joined for the first time. */
    public boolean hasMetNobody() {
        return metNobody;
    }

    private CompletionStage<Outcome> join(RegistrySession session, RegistryAnswer answer) {
        JobTree tree = scope.tree();
        StoredDefinition stored = StoredDefinition.of(tree, answer);
        Optional<RegistryNode> holder = answer.node(tree.instance(instance()));
        if (holder.isPresent() && !isOurs(holder.get(), session)) {
            collisions++;
            log.info(
                    "Job \"{}\": another process is registered under this instance's id; trying the id \"{}\"",
                    scope.jobName(),
                    instance());
            return CompletableFuture.completedFuture(Outcome.NOT_YET);
        }
        if (joinedIn == session.id() && !stored.isPresent()) {
            return CompletableFuture.completedFuture(Outcome.REMOVED);
        }
        RegistryCommit.Builder commit = RegistryCommit.builder();
        if (answer.node(tree.root()).isEmpty()) {
            commit.create(tree.root());
        }
        JobDefinition agreed = definitions.agree(stored, answer, commit);
        createMissing(answer, agreed, commit);
        showUp(session, answer, holder, commit);
        boolean stands = stand(session, answer, commit);
        ownSessions.add(session.id());
        return scope.connection()
                .commit(session, commit.build())
                .thenApplyAsync(
                        outcome -> {
                            if (outcome instanceof CommitOutcome.Committed) {
                                metNobody |= joinedIn == 0
                                        && answer.children(tree.instances()).isEmpty();
                                joinedIn = session.id();
                                return stands ? Outcome.AS_LEADER : Outcome.AS_MEMBER;
                            }
                            return Outcome.NOT_YET;
                        },
                        scope.executor());
    }

    /** Creates the instance's node, and deletes what an older holder of the id has left. */
    private void showUp(
            RegistrySession session,
            RegistryAnswer answer,
            Optional<RegistryNode> holder,
            RegistryCommit.Builder commit) {
        JobTree tree = scope.tree();
        if (holder.filter(session::owns).isEmpty()) {
            holder.ifPresent(former -> giveUp(tree.instances(), tree.instance(instance()), answer, commit));
            commit.addAll(transactions.register(instance(), ip()));
        }
        // A drain names a node of before; a trigger that has come since we first had the id is for us.
        List<String> leftOvers = holder.isEmpty() && joinedIn == 0
                ? List.of(tree.drain(instance()), tree.triggerOf(instance()))
                : List.of(tree.drain(instance()));
        leftOvers.forEach(path -> answer.node(path).ifPresent(leftOver -> commit.delete(path, leftOver.version())));
    }

    private boolean isOurs(RegistryNode node, RegistrySession session) {
        return session.owns(node) || ownSessions.contains(node.ephemeralOwner());
    }

    /**
     * Stands for election where nobody leads; a leadership of a former session of ours is given up.
     *
     * @return whether this instance leads once the transaction is carried out
     */
    private boolean stand(RegistrySession session, RegistryAnswer answer, RegistryCommit.Builder commit) {
        String path = scope.tree().leader();
        Optional<RegistryNode> leader = answer.node(path);
        if (leader.isEmpty()) {
            commit.addAll(transactions.elect(instance()));
            return true;
        }
        boolean former = isOurs(leader.get(), session) && !session.owns(leader.get());
        if (former) {
            giveUp(scope.tree().election(), path, answer, commit);
        }
        return session.owns(leader.get());
    }

    /** Deletes what a former session of ours has left, unless it has gone meanwhile and another process made it anew. */
    private static void giveUp(String parent, String path, RegistryAnswer answer, RegistryCommit.Builder commit) {
        commit.addAll(MembershipTransactions.unmoved(parent, answer));
        answer.node(path).ifPresent(node -> commit.delete(path, node.version()));
    }

    private void createMissing(RegistryAnswer answer, JobDefinition agreed, RegistryCommit.Builder commit) {
        JobTree tree = scope.tree();
        List<String> parents = new ArrayList<>(tree.parents());
        parents.add(tree.sharding());
        for (String path : parents) {
            if (answer.node(path).isEmpty()) {
                commit.create(path);
            }
        }
        if (answer.node(tree.server(ip())).isEmpty()) {
            commit.create(tree.server(ip()), agreed.disabled() ? ServerState.DISABLED : ServerState.ENABLED);
        }
    }

    /** Leaves: what our session owns is deleted, and the bell rings, unless the job has been removed. */
    CompletionStage<Boolean> leave(RegistrySession session) {
        JobTree tree = scope.tree();
        return scope.registry()
                .read(List.of(
                        RegistryRead.data(tree.instances()),
                        RegistryRead.data(tree.instance(instance())),
                        RegistryRead.data(tree.election()),
                        RegistryRead.data(tree.leader()),
                        RegistryRead.data(tree.drain(instance())),
                        RegistryRead.data(tree.config()),
                        RegistryRead.data(tree.extension()),
                        RegistryRead.data(tree.flags()),
                        RegistryRead.data(tree.necessary())))
                .thenComposeAsync(answer -> leave(session, answer), scope.executor());
    }

    private CompletionStage<Boolean> leave(RegistrySession session, RegistryAnswer answer) {
        JobTree tree = scope.tree();
        Map<String, RegistryNode> ours = new LinkedHashMap<>();
        for (String path : List.of(tree.instance(instance()), tree.leader())) {
            answer.node(path).filter(node -> isOurs(node, session)).ifPresent(node -> ours.put(path, node));
        }
        if (ours.containsKey(tree.instance(instance()))) {
            answer.node(tree.drain(instance())).ifPresent(drain -> ours.put(tree.drain(instance()), drain));
        }
        if (ours.isEmpty()) {
            return CompletableFuture.completedFuture(true);
        }
        RegistryCommit.Builder unmoved =
                RegistryCommit.builder().addAll(MembershipTransactions.unmoved(tree.instances(), answer));
        if (ours.containsKey(tree.leader())) {
            unmoved.addAll(MembershipTransactions.unmoved(tree.election(), answer));
        }
        Optional<RegistryCommit> bell = StoredDefinition.of(tree, answer)
                .inForce()
                .filter(definition -> answer.node(tree.flags()).isPresent())
                .map(definition -> RegistryCommit.builder()
                        .addAll(definition.check())
                        .addAll(ReshardingRequest.of(tree, answer).raised())
                        .build());
        return scope.connection()
                .commit(session, transactions.leave(unmoved.build(), ours, bell))
                .thenApplyAsync(outcome -> outcome instanceof CommitOutcome.Committed, scope.executor());
    }
}
