package dev.elasticjob.coordination.membership;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.LeaveMark;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.ServerState;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.view.Members.Origin;
import dev.elasticjob.coordination.view.OperatorDrain;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.definition.JobConflictException;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.definition.text.LabelSelector;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers this instance for a job, and deletes its nodes when it leaves. Joining creates missing nodes of the job,
 * agrees on its definition, and stands for election, in one read and one transaction. A refused transaction is
 * repeated.
 *
 * <p>Confined to the coordination executor.
 */
public final class InstanceRegistration {
    private static final Logger log = LoggerFactory.getLogger(InstanceRegistration.class);

    private final JobScope scope;
    private final JobTree tree;
    private final Membership membership;
    private final ForeignInstanceGuard foreignGuard;
    private final DefinitionAgreement definitions;
    private final InstanceIdentity identity;
    /** The newest session in which it was registered; 0 before the first one. */
    private long joinedIn;

    private boolean clockDiffers;

    /** The instances that were there when this one joined for the first time. */
    private List<Origin> met = List.of();

    public InstanceRegistration(
            JobScope scope,
            DefinitionAgreement definitions,
            InstanceIdentity identity,
            ForeignInstanceGuard foreignGuard) {
        this.scope = scope;
        this.tree = scope.tree();
        this.foreignGuard = foreignGuard;
        this.definitions = definitions;
        this.identity = identity;
        this.membership = new Membership(
                MemberNodes.of(tree),
                identity,
                (id, ip) -> NodeCodec.instance(id, ip, identity.labels(), identity.capacity(), clockDiffers));
    }

    /** What the items may weigh together that this instance executes; empty if there is no limit. */
    public OptionalInt capacity() {
        return identity.capacity();
    }

    /** The result of an attempt to join. */
    public enum Outcome {
        /** Refused, or the id is taken: try again. */
        NOT_YET,
        /** The job's definition was deleted after this session had joined. No node of the job is created again. */
        REMOVED,
        AS_MEMBER,
        AS_LEADER
    }

    /** This instance's id; final once it has joined. */
    public String instance() {
        return membership.instance();
    }

    public String ip() {
        return membership.ip();
    }

    /** By which jobs choose instances. */
    public InstanceLabels labels() {
        return identity.labels();
    }

    /** What this instance's node holds, unless a tool has written a command into it. */
    public String text() {
        return membership.text();
    }

    /** Whether this instance shows, or tries to, that its clock differs by more than the job allows. */
    boolean clockDiffers() {
        return clockDiffers;
    }

    /**
     * Shows whether this instance's clock differs by more than the job allows, in this session and in later ones.
     *
     * @return false if another writer interfered. Fails if the registry does
     */
    CompletionStage<Boolean> show(RegistrySession session, boolean clockDiffers) {
        this.clockDiffers = clockDiffers;
        String path = tree.instance(instance());
        return scope.registry().read(RegistryRead.allData(path)).thenCompose(answer -> {
            // The answer to a tool's command shows this instance again.
            Optional<RegistryNode> own = answer.node(path)
                    .filter(session::owns)
                    .filter(node -> !node.text().equals(text()) && !NodeCodec.asksForRun(node));
            if (own.isEmpty()) {
                return CompletableFuture.completedFuture(true);
            }
            RegistryCommit commit = RegistryCommit.builder()
                    .set(path, text(), own.get().version())
                    .build();
            return scope.connection().commit(session, commit).thenApply(CommitOutcome::isCommitted);
        });
    }

    /** Whether no instance on which a job runs that chooses so was there when this one joined for the first time. */
    public boolean hasMetNobody(LabelSelector runOn) {
        return met.stream().noneMatch(origin -> runOn.mayMatch(origin.labels()));
    }

    // ------------------------------------------------------------------ joining

    /**
     * Makes one attempt to join in the session.
     *
     * @return fails with {@link JobConflictException}, {@link dev.elasticjob.definition.ForeignInstanceException} or
     *     {@link dev.elasticjob.definition.UnreadableDefinitionException}
     */
    public CompletionStage<Outcome> join(RegistrySession session) {
        return scope.registry().read(whatJoiningNeeds()).thenCompose(answer -> {
            CompletionStage<List<Origin>> may = joinedIn == 0
                    ? foreignGuard.mayJoin(answer.children(tree.instances()))
                    : CompletableFuture.completedFuture(met);
            return may.thenCompose(there -> {
                met = there;
                return join(session, answer);
            });
        });
    }

    private List<RegistryRead> whatJoiningNeeds() {
        List<RegistryRead> reads = new ArrayList<>();
        Stream.of(
                        tree.root(),
                        tree.config(),
                        tree.extension(),
                        tree.origin(),
                        tree.sharding(),
                        tree.server(ip()),
                        tree.instance(instance()),
                        tree.triggerOf(instance()),
                        tree.drain(instance()),
                        tree.leader())
                .map(RegistryRead::data)
                .forEach(reads::add);
        tree.parents().forEach(path -> reads.add(RegistryRead.data(path)));
        reads.add(RegistryRead.children(tree.instances()));
        return reads;
    }

    private CompletionStage<Outcome> join(RegistrySession session, RegistryAnswer answer) {
        StoredDefinition stored = StoredDefinition.of(tree, answer);
        Optional<RegistryNode> holder = membership.holder(answer);
        if (membership.hasCollided(session, answer)) {
            log.info(
                    "Job \"{}\": another process is registered under this instance's id; trying the id \"{}\"",
                    scope.jobName(),
                    instance());
            return CompletableFuture.completedFuture(Outcome.NOT_YET);
        }
        if ((joinedIn == session.id() && !stored.isPresent()) || !definitions.isThere(stored, answer)) {
            return CompletableFuture.completedFuture(Outcome.REMOVED);
        }
        RegistryCommit.Builder commit = RegistryCommit.builder();
        createIfAbsent(tree.root(), "", answer, commit);
        JobDefinition agreed = definitions.agree(stored, answer, commit);
        tree.parents().forEach(path -> createIfAbsent(path, "", answer, commit));
        createIfAbsent(tree.sharding(), "", answer, commit);
        createIfAbsent(
                tree.server(ip()), agreed.disabled() ? ServerState.DISABLED : ServerState.ENABLED, answer, commit);
        register(session, answer, holder, commit);
        commit.addAll(membership.stand(session, answer));
        boolean leads = membership.leads(session, answer);
        return scope.connection()
                .commit(session, commit.build())
                .thenApply(outcome -> outcome.isCommitted() ? joined(session, leads) : Outcome.NOT_YET);
    }

    private static void createIfAbsent(String path, String text, RegistryAnswer answer, RegistryCommit.Builder commit) {
        if (answer.node(path).isEmpty()) {
            commit.create(path, text);
        }
    }

    /** Creates the instance's node, and deletes the remains of an earlier holder of the id. */
    private void register(
            RegistrySession session,
            RegistryAnswer answer,
            Optional<RegistryNode> holder,
            RegistryCommit.Builder commit) {
        commit.addAll(membership.show(session, answer));
        // What operators have written since this instance has the id is for this instance.
        if (joinedIn == 0
                || answer.node(tree.drain(instance()))
                        .flatMap(OperatorDrain::of)
                        .isEmpty()) {
            deleteIfPresent(tree.drain(instance()), answer, commit);
        }
        if (holder.isEmpty() && joinedIn == 0) {
            deleteIfPresent(tree.triggerOf(instance()), answer, commit);
        }
    }

    private static void deleteIfPresent(String path, RegistryAnswer answer, RegistryCommit.Builder commit) {
        answer.node(path).ifPresent(node -> commit.delete(path, node.version()));
    }

    private Outcome joined(RegistrySession session, boolean leads) {
        joinedIn = session.id();
        return leads ? Outcome.AS_LEADER : Outcome.AS_MEMBER;
    }

    // ------------------------------------------------------------------ leaving

    /** Whether this instance's items wait for its successor once it has {@linkplain #leaveToReturn left}. */
    public boolean mayReturn() {
        return identity.mayReturn();
    }

    /**
     * Deletes this instance's nodes, and requests a new plan, unless the job was removed.
     *
     * @return false if other writers came in between, and nodes are left
     */
    CompletionStage<Boolean> leave(RegistrySession session) {
        return whatLeavingNeeds().thenCompose(answer -> leave(session, answer, Optional.empty()));
    }

    /**
     * The same, with a mark by which its items wait for its successor, if they may. If the registry doesn't take the mark, it
     * leaves without.
     */
    CompletionStage<Boolean> leaveToReturn(RegistrySession session) {
        return whatLeavingNeeds().thenCompose(answer -> {
            Optional<LeaveMark> mark = mark(session, answer);
            return leave(session, answer, mark)
                    .exceptionallyCompose(
                            error -> mark.isEmpty() || Stages.unwrap(error) instanceof RegistryUnavailableException
                                    ? CompletableFuture.failedFuture(error)
                                    : leave(session, answer, Optional.empty()));
        });
    }

    /** None if operators have drained it: then it owns nothing; nor of a job that is being removed. */
    private Optional<LeaveMark> mark(RegistrySession session, RegistryAnswer answer) {
        boolean kept = identity.mayReturn()
                && StoredDefinition.of(tree, answer).inForce().isPresent()
                && answer.node(tree.drains()).isPresent()
                && answer.node(tree.drain(instance()))
                        .flatMap(OperatorDrain::of)
                        .isEmpty();
        return membership
                .holder(answer)
                .filter(node -> kept && session.owns(node))
                .map(this::mark);
    }

    /** The mark by which this instance's items wait for its successor. */
    LeaveMark mark(RegistryNode own) {
        return LeaveMark.of(own, membership.text(), identity.rebalanceDelay());
    }

    private CompletionStage<RegistryAnswer> whatLeavingNeeds() {
        return scope.registry()
                .read(Stream.of(
                                tree.instances(),
                                tree.instance(instance()),
                                tree.election(),
                                tree.leader(),
                                tree.drains(),
                                tree.drain(instance()),
                                tree.config(),
                                tree.extension(),
                                tree.flags(),
                                tree.necessary())
                        .map(RegistryRead::data)
                        .toList());
    }

    private CompletionStage<Boolean> leave(RegistrySession session, RegistryAnswer answer, Optional<LeaveMark> mark) {
        RegistryCommit.Builder commit = RegistryCommit.builder().addAll(membership.withdraw(session, answer));
        if (membership
                .holder(answer)
                .filter(node -> membership.isOurs(node, session))
                .isPresent()) {
            Optional<RegistryNode> drain = answer.node(tree.drain(instance()));
            mark.ifPresentOrElse(
                    // The same node as while it stopped: who has come since is its successor.
                    left -> commit.setOrCreate(tree.drain(instance()), left.text(), drain.map(RegistryNode::version)),
                    () -> deleteIfPresent(tree.drain(instance()), answer, commit));
        }
        if (commit.build().isEmpty()) {
            return CompletableFuture.completedFuture(true);
        }
        StoredDefinition.of(tree, answer)
                .inForce()
                .filter(definition -> answer.node(tree.flags()).isPresent())
                .ifPresent(definition -> commit.addAll(definition.check())
                        .addAll(ReshardingRequest.of(tree, answer).raised()));
        return scope.connection().commit(session, commit.build()).thenApply(CommitOutcome::isCommitted);
    }
}
