package dev.elasticjob.console.live;

import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.time.DurationText;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Asks a registry or a database on threads of the console, with an end: the first request of all may connect it, and it may
 * never answer. Thread-safe; doesn't block.
 *
 * @param executor asks, and makes something of the answer; the threads of what is asked don't
 * @param limit how long an answer may take, with the wait for a thread
 * @param source what is asked
 */
public record Queries(TaskTimer timer, Executor executor, Duration limit, Source source) {
    /** What is asked, as those who wait for it are told. */
    public interface Source {
        /** With its article, as it begins a sentence. */
        String name();

        /** What a question fails with that this doesn't answer. */
        RuntimeException unanswered(String why, Optional<Throwable> cause);
    }

    /** A registry of jobs. */
    public static final Source REGISTRY = new Source() {
        @Override
        public String name() {
            return "The registry";
        }

        @Override
        public RuntimeException unanswered(String why, Optional<Throwable> cause) {
            return cause.<RuntimeException>map(known -> new RegistryUnavailableException(why, false, known))
                    .orElseGet(() -> new RegistryUnavailableException(why));
        }
    };

    /** The same with another end, for what takes longer. */
    public Queries within(Duration other) {
        return new Queries(timer, executor, other, source);
    }

    /**
     * @param question runs on a thread that may block. It isn't asked if it waits for that until the limit
     * @param use makes something of the answer
     * @return a future that fails as the question does, and with {@link Source#unanswered} after the limit. What was asked
     *     may still be carried out then
     */
    public <A, T> CompletableFuture<T> ask(
            Supplier<? extends CompletionStage<A>> question, Function<? super A, T> use) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        TaskTimer.Cancellable end = timer.after(
                limit,
                () -> answer.completeExceptionally(source.unanswered(
                        source.name() + " did not answer within " + DurationText.of(limit), Optional.empty())));
        answer.whenComplete((done, failure) -> end.cancel());
        try {
            executor.execute(() -> {
                if (!answer.isDone()) {
                    ask(question, use, answer);
                }
            });
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(
                    source.unanswered("The console is closed, or has too much to do; try again later", Optional.of(e)));
        }
        return answer;
    }

    private <A, T> void ask(
            Supplier<? extends CompletionStage<A>> question, Function<? super A, T> use, CompletableFuture<T> answer) {
        try {
            CompletionStage<A> found = question.get();
            // A source that blocks has answered on this thread, which doesn't queue for itself.
            CompletionStage<T> used =
                    found.toCompletableFuture().isDone() ? found.thenApply(use) : found.thenApplyAsync(use, executor);
            used.whenComplete((done, failure) -> {
                if (failure == null) {
                    answer.complete(done);
                } else {
                    answer.completeExceptionally(failure);
                }
            });
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }
}
