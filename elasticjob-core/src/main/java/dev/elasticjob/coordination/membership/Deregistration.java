package dev.elasticjob.coordination.membership;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.state.StoredDefinition.NodeVersion;
import dev.elasticjob.coordination.view.OperatorDrain;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes this instance out of its job: first it may give its items away, then the nodes of its session are deleted.
 * Confined to the coordination executor.
 */
public final class Deregistration {
    private static final Logger log = LoggerFactory.getLogger(Deregistration.class);
    private static final int ATTEMPTS = 10;

    private final JobScope scope;
    private final InstanceRegistration registration;
    private final MembershipTransactions transactions;

    public Deregistration(JobScope scope, InstanceRegistration registration) {
        this.scope = scope;
        this.registration = registration;
        this.transactions = new MembershipTransactions(scope.tree());
    }

    /** What becomes of the items of an instance that stops. */
    public enum Items {
        GIVEN_AWAY,
        /** They wait for its successor, and it gets no more. */
        KEPT
    }

    /**
     * Requests a plan in which this instance gets nothing more, while it stays until its executions have ended. This only saves
     * time: without a connection nothing is requested, and the next {@link #drain(RegistrySession, Items)}, the instance's
     * leaving, or the end of its session, has the same effect later.
     */
    public CompletionStage<Void> drain(Items items) {
        return attempts(
                session -> drain(session, items), "request a plan; until this instance has left, its items wait");
    }

    /**
     * Tries once to request such a plan.
     *
     * @return whether it is requested, or nothing can be; false if another writer interfered. Fails if the registry does
     */
    public CompletionStage<Boolean> drain(RegistrySession session, Items items) {
        JobTree tree = scope.tree();
        String id = registration.instance();
        return scope.registry()
                .read(Stream.of(
                                tree.config(),
                                tree.extension(),
                                tree.instance(id),
                                tree.drains(),
                                tree.drain(id),
                                tree.flags(),
                                tree.necessary())
                        .map(RegistryRead::data)
                        .toList())
                .thenCompose(answer -> drain(session, items, answer))
                .exceptionallyCompose(
                        error -> items == Items.KEPT && !(Stages.unwrap(error) instanceof RegistryUnavailableException)
                                // It leaves without the mark, too.
                                ? CompletableFuture.completedFuture(true)
                                : CompletableFuture.failedFuture(error));
    }

    private CompletionStage<Boolean> drain(RegistrySession session, Items items, RegistryAnswer answer) {
        JobTree tree = scope.tree();
        String id = registration.instance();
        Optional<RegistryNode> instance = answer.node(tree.instance(id)).filter(session::owns);
        Optional<NodeVersion> definition = StoredDefinition.of(tree, answer).inForce();
        boolean possible = instance.isPresent()
                && definition.isPresent()
                && answer.node(tree.drains()).isPresent()
                && answer.node(tree.flags()).isPresent();
        boolean drained = answer.node(tree.drain(id))
                .filter(mark -> instance.filter(own -> NodeCodec.isDrainOf(own, mark))
                                .isPresent()
                        || (items == Items.KEPT && OperatorDrain.of(mark).isPresent()))
                .isPresent();
        if (!possible || drained) {
            return CompletableFuture.completedFuture(true);
        }
        String mark = switch (items) {
            case GIVEN_AWAY -> NodeCodec.drain(instance.get());
            case KEPT -> registration.mark(instance.get()).whileStopping().text();
        };
        RegistryCommit commit = transactions.drain(
                id,
                instance.get(),
                mark,
                definition.get(),
                answer.node(tree.drain(id)),
                ReshardingRequest.of(tree, answer));
        return scope.connection().commit(session, commit).thenApply(CommitOutcome::isCommitted);
    }

    /**
     * Leaves at the end of the process, if there is a connection. Its items wait for its successor, if they may.
     *
     * @return completes when it has left, or could not; then the end of its session has the same effect
     */
    public CompletionStage<Void> now() {
        return attempts(registration::leaveToReturn, "leave cleanly; its nodes are deleted when the session ends");
    }

    /**
     * Repeats a step until it has succeeded, has failed, or was refused too often.
     *
     * @param task the task, and the consequence of its failure, for the log
     */
    private CompletionStage<Void> attempts(Function<RegistrySession, CompletionStage<Boolean>> step, String task) {
        return scope.connection()
                .session()
                .map(session -> Stages.untilDone(ATTEMPTS, () -> step.apply(session)))
                .orElseGet(() -> CompletableFuture.completedFuture(false))
                .handle((done, error) -> {
                    if (error != null) {
                        String reason = Stages.unwrap(error).getMessage();
                        log.warn("Job \"{}\": could not {}. {}", scope.jobName(), task, reason);
                    }
                    return null;
                });
    }

    /**
     * Leaves while the process and its session live on, so that nothing else would delete this instance's nodes, such
     * as its leadership. Repeats this until it has left, or the session is over.
     */
    public CompletionStage<Void> forGood(RegistrySession session) {
        return forGood(session, 0);
    }

    private CompletionStage<Void> forGood(RegistrySession session, int attempt) {
        CompletableFuture<Void> over = CompletableFuture.completedFuture(null);
        return registration
                .leave(session)
                .exceptionally(error -> false)
                .thenCompose(left -> left
                        ? over
                        : scope.connection()
                                .afterPause(attempt)
                                .thenCompose(paused ->
                                        scope.connection().isIn(session) ? forGood(session, attempt + 1) : over));
    }
}
