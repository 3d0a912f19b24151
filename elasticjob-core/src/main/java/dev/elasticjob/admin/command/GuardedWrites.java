package dev.elasticjob.admin.command;

import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Writes that depend on what was read. If other writers come in between, the read and the write are repeated.
 * Thread-safe.
 */
public record GuardedWrites(Registry registry) {
    /** Of so many items, even the largest records fit into one transaction. */
    static final int ITEMS_AT_ONCE = 200;

    /** Of what is as it should be: it isn't sent. */
    static final RegistryCommit NOTHING = RegistryCommit.builder().build();

    private static final int ATTEMPTS = 20;

    public <T> CompletionStage<T> repeat(String jobName, Supplier<CompletionStage<Optional<T>>> attempt) {
        return repeating("job \"%s\"".formatted(jobName), attempt);
    }

    /** For what belongs to all jobs. */
    <T> CompletionStage<T> repeatForAll(Supplier<CompletionStage<Optional<T>>> attempt) {
        return repeating("all jobs of the namespace at once", attempt);
    }

    private <T> CompletionStage<T> repeating(String subject, Supplier<CompletionStage<Optional<T>>> attempt) {
        return Stages.attempts(ATTEMPTS, attempt)
                .thenApply(result -> result.orElseThrow(() -> new IllegalStateException(
                        ("Could not change %s: other writers changed it during each of %d attempts. Try"
                                        + " again later")
                                .formatted(subject, ATTEMPTS))));
    }

    /**
     * Commits one transaction, which may be empty.
     *
     * @return the result; empty if the transaction was refused
     */
    public <T> CompletionStage<Optional<T>> attempt(RegistryCommit commit, T result) {
        return commit.isEmpty()
                ? CompletableFuture.completedFuture(Optional.of(result))
                : registry.commit(commit)
                        .thenApply(outcome -> outcome.isCommitted() ? Optional.of(result) : Optional.empty());
    }
}
