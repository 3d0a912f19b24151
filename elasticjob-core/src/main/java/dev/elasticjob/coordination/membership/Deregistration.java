package dev.elasticjob.coordination.membership;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.SharedConnection;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.state.StoredDefinition.NodeVersion;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes this instance out of its job: it may give its items away first, and then what its session owns there is deleted.
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

    /**
     * Asks for a plan without this instance, while it stays until what runs here has ended. For the sake of speed only:
     * without a connection nothing is asked, and its leave, or the end of its session, does the same later.
     */
    public CompletionStage<Void> drain() {
        return scope.connection()
                .session()
                .map(session -> repeated(
                        0, () -> drain(session), "hand over its items; they wait until this instance has left"))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    /** @return whether there is nothing left to do */
    private CompletionStage<Boolean> drain(RegistrySession session) {
        JobTree tree = scope.tree();
        String id = registration.instance();
        List<RegistryRead> reads = new ArrayList<>(StoredDefinition.reads(tree));
        Stream.of(tree.instance(id), tree.drains(), tree.drain(id), tree.flags(), tree.necessary())
                .map(RegistryRead::data)
                .forEach(reads::add);
        return scope.registry().read(reads).thenComposeAsync(answer -> drain(session, answer), scope.executor());
    }

    private CompletionStage<Boolean> drain(RegistrySession session, RegistryAnswer answer) {
        JobTree tree = scope.tree();
        String id = registration.instance();
        Optional<RegistryNode> instance = answer.node(tree.instance(id)).filter(session::owns);
        Optional<NodeVersion> definition = StoredDefinition.of(tree, answer).inForce();
        boolean possible = instance.isPresent()
                && definition.isPresent()
                && answer.node(tree.drains()).isPresent()
                && answer.node(tree.flags()).isPresent();
        if (!possible) {
            return CompletableFuture.completedFuture(true);
        }
        RegistryCommit commit = transactions.drain(
                id, instance.get(), definition.get(), answer.node(tree.drain(id)), ReshardingRequest.of(tree, answer));
        return scope.connection()
                .commit(session, commit)
                .thenApplyAsync(outcome -> outcome instanceof CommitOutcome.Committed, scope.executor());
    }

    /**
     * Leaves as long as there is a connection, with a process that ends.
     *
     * @return completes when it has left, or could not because the registry is away; then its session's end does it
     */
    public CompletionStage<Void> now() {
        return scope.connection()
                .session()
                .map(session -> repeated(
                        0,
                        () -> registration.leave(session),
                        "leave cleanly; its nodes are deleted when the session ends"))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    /**
     * Tries until it is done, or has failed, or been refused too often.
     *
     * @param task what can't be done when it fails, and what follows
     */
    private CompletionStage<Void> repeated(int attempt, Supplier<CompletionStage<Boolean>> step, String task) {
        return step.get()
                .handleAsync(
                        (done, error) -> {
                            if (error != null) {
                                log.warn(
                                        "Job \"{}\": could not {}. {}",
                                        scope.jobName(),
                                        task,
                                        SharedConnection.unwrap(error).getMessage());
                            }
                            boolean again = error == null && !done && attempt < ATTEMPTS;
                            return again
                                    ? repeated(attempt + 1, step, task)
                                    : CompletableFuture.<Void>completedFuture(null);
                        },
                        scope.executor())
                .thenCompose(stage -> stage);
    }

    /** This process and its session live on: nobody else would delete what it owns here, such as its leadership. */
    public CompletionStage<Void> forGood(RegistrySession session) {
        return forGood(session, 0);
    }

    private CompletionStage<Void> forGood(RegistrySession session, int attempt) {
        return registration
                .leave(session)
                .handleAsync(
                        (left, error) -> error == null && left
                                ? CompletableFuture.<Void>completedFuture(null)
                                : scope.connection()
                                        .afterPause(attempt)
                                        .thenComposeAsync(paused -> again(session, attempt), scope.executor()),
                        scope.executor())
                .thenCompose(stage -> stage);
    }

    private CompletionStage<Void> again(RegistrySession session, int attempt) {
        boolean same = scope.connection()
                .session()
                .filter(now -> now.id() == session.id())
                .isPresent();
        return same ? forGood(session, attempt + 1) : CompletableFuture.completedFuture(null);
    }
}
