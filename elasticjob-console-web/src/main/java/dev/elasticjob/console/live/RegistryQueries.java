package dev.elasticjob.console.live;

import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.time.DurationText;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Asks the registry on threads of the console, with an end: the first request of all may connect it, and a registry may
 * never answer. Thread-safe; doesn't block.
 *
 * @param executor asks, and makes something of the answer; the registry's threads don't
 * @param limit how long the registry may take
 */
public record RegistryQueries(TaskTimer timer, Executor executor, Duration limit) {
    /** The same with another end, for what takes longer. */
    public RegistryQueries within(Duration other) {
        return new RegistryQueries(timer, executor, other);
    }

    /**
     * @param question runs on a thread that may block
     * @param use makes something of the answer
     * @return a future that fails as the question does, and with {@link RegistryUnavailableException} after the limit.
     *     What was asked may still be carried out then
     */
    public <A, T> CompletableFuture<T> ask(
            Supplier<? extends CompletionStage<A>> question, Function<? super A, T> use) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        TaskTimer.Cancellable end = timer.after(
                limit,
                () -> answer.completeExceptionally(new RegistryUnavailableException(
                        "The registry did not answer within " + DurationText.of(limit))));
        answer.whenComplete((done, failure) -> end.cancel());
        try {
            executor.execute(() -> ask(question, use, answer));
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(
                    new RegistryUnavailableException("The console is closed, or has too much to do", false, e));
        }
        return answer;
    }

    private <A, T> void ask(
            Supplier<? extends CompletionStage<A>> question, Function<? super A, T> use, CompletableFuture<T> answer) {
        try {
            question.get().<T>thenApplyAsync(use, executor).whenComplete((done, failure) -> {
                if (failure == null) {
                    answer.complete(done);
                } else {
                    answer.completeExceptionally(failure);
                }
            });
        } catch (RuntimeException e) {
            answer.completeExceptionally(e);
        }
    }
}
