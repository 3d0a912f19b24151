package dev.elasticjob.coordination.session;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.RegistryCommit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Ways to combine steps of coordination. */
public final class Stages {
    private Stages() {}

    /** Runs a step for each part, one after the other. The first failure ends it. */
    public static <T, R> CompletionStage<List<R>> inOrder(
            Collection<T> parts, Function<T, ? extends CompletionStage<R>> step) {
        CompletionStage<List<R>> all = CompletableFuture.completedFuture(new ArrayList<>());
        for (T part : parts) {
            all = all.thenCompose(results -> step.apply(part).thenApply(result -> {
                results.add(result);
                return results;
            }));
        }
        return all;
    }

    /**
     * Commits transactions one after the other, until one is refused.
     *
     * @return whether all were committed
     */
    public static CompletionStage<Boolean> whileCommitted(
            List<RegistryCommit> steps, Function<RegistryCommit, CompletionStage<CommitOutcome>> commit) {
        return steps.isEmpty()
                ? CompletableFuture.completedFuture(true)
                : upToRefused(steps, commit).thenApply(CommitOutcome::isCommitted);
    }

    /**
     * Commits transactions one after the other, until one is refused.
     *
     * @param steps at least one
     * @return the outcome of the one that was refused, or of the last one
     */
    public static CompletionStage<CommitOutcome> upToRefused(
            List<RegistryCommit> steps, Function<RegistryCommit, CompletionStage<CommitOutcome>> commit) {
        CompletionStage<CommitOutcome> all = commit.apply(steps.get(0));
        for (RegistryCommit step : steps.subList(1, steps.size())) {
            all = all.thenCompose(
                    soFar -> soFar.isCommitted() ? commit.apply(step) : CompletableFuture.completedFuture(soFar));
        }
        return all;
    }

    /**
     * Repeats a step until it has a result, because other writers may interfere.
     *
     * @param max the number of attempts
     * @return empty if no attempt had a result
     */
    public static <T> CompletionStage<Optional<T>> attempts(int max, Supplier<CompletionStage<Optional<T>>> step) {
        return step.get()
                .thenCompose(result -> result.isPresent() || max == 1
                        ? CompletableFuture.completedFuture(result)
                        : attempts(max - 1, step));
    }

    /**
     * The same for a step that says whether it is done.
     *
     * @return whether one attempt has done it
     */
    public static CompletionStage<Boolean> untilDone(int max, Supplier<CompletionStage<Boolean>> step) {
        return attempts(
                        max,
                        () -> step.get().thenApply(done -> Optional.of(done).filter(Boolean::booleanValue)))
                .thenApply(Optional::isPresent);
    }

    /** Completes when all stages have completed, and fails if one of them has failed. */
    public static CompletableFuture<Void> all(Collection<? extends CompletionStage<?>> stages) {
        return CompletableFuture.allOf(
                stages.stream().map(CompletionStage::toCompletableFuture).toArray(CompletableFuture[]::new));
    }

    /**
     * For callers outside: what they do with it, such as cancelling its future, changes nothing for us or for other callers.
     * (A stage whose future is completed by somebody else skips its own step, and what depends on it goes on too early.)
     */
    public static <T> CompletionStage<T> forCallers(CompletionStage<T> stage) {
        return stage.toCompletableFuture().minimalCompletionStage();
    }

    /** The cause of a stage's failure, whether or not a dependent stage has wrapped it. */
    public static Throwable unwrap(Throwable error) {
        return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    }
}
