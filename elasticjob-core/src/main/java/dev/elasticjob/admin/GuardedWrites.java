package dev.elasticjob.admin;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Reads and writes again as long as others write in between. Safe for use by any thread. */
final class GuardedWrites {
    private static final int ATTEMPTS = 20;

    private final Registry registry;

    GuardedWrites(Registry registry) {
        this.registry = registry;
    }

    /** In the present session. */
    CompletionStage<CommitOutcome> commit(RegistryCommit commit) {
        return registry.session()
                .map(session -> registry.commit(session, commit))
                .orElseGet(() -> CompletableFuture.failedFuture(new RegistryUnavailableException(
                        "The registry is not connected; try again when the connection is back")));
    }

    /** Carries out one transaction, where there is something to do; empty when it was refused. */
    CompletionStage<Optional<Boolean>> attempt(RegistryCommit commit) {
        return commit.isEmpty()
                ? CompletableFuture.completedFuture(Optional.of(false))
                : commit(commit)
                        .thenApply(outcome ->
                                outcome instanceof CommitOutcome.Committed ? Optional.of(true) : Optional.empty());
    }

    /** Makes attempts until one has an answer. */
    <T> CompletionStage<T> repeat(String jobName, Supplier<CompletionStage<Optional<T>>> attempt) {
        return repeat(jobName, attempt, 1);
    }

    private <T> CompletionStage<T> repeat(String jobName, Supplier<CompletionStage<Optional<T>>> attempt, int number) {
        return attempt.get().thenCompose(answer -> {
            if (answer.isPresent()) {
                return CompletableFuture.completedFuture(answer.get());
            }
            return number < ATTEMPTS
                    ? repeat(jobName, attempt, number + 1)
                    : CompletableFuture.failedFuture(new IllegalStateException(
                            ("Could not change job \"%s\": other writers changed it during each of %d attempts. Try"
                                            + " again later")
                                    .formatted(jobName, ATTEMPTS)));
        });
    }
}
