package dev.elasticjob.coordination.session;

import dev.elasticjob.job.Failures;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiPredicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Lets what all jobs ask of the registry share requests. What is asked for in one turn of the executor goes out together;
 * while a request is under way, what comes gathers for the next one. Nothing waits for company: where nobody else asks,
 * a request goes out at once.
 *
 * <p>Confined to the coordination executor. This is group commit, as databases do it (DeWitt et al., "Implementation
 * Techniques for Main Memory Database Systems", SIGMOD 1984), for reads too.
 *
 * @param <T> what is asked for
 */
final class RequestBatcher<T> {
    private final int maxBytes;
    private final ToIntFunction<T> bytes;
    private final BiPredicate<T, T> together;
    private final Sending<T> sending;
    private final Executor executor;
    private final Deque<T> waiting = new ArrayDeque<>();
    private boolean underWay;

    /**
     * @param maxBytes of a request; what is larger by itself goes alone
     * @param together whether two may share a request
     */
    RequestBatcher(
            int maxBytes, ToIntFunction<T> bytes, BiPredicate<T, T> together, Sending<T> sending, Executor executor) {
        this.maxBytes = maxBytes;
        this.bytes = bytes;
        this.together = together;
        this.sending = sending;
        this.executor = executor;
    }

    /** How requests are sent and answered. Its stages complete on the executor. */
    interface Sending<T> {
        /** Sends several in one request, in order; whether they are answered by it, or each is to be sent alone. */
        CompletionStage<Boolean> together(List<T> all);

        /** Sends one, and answers it, whatever comes of it. */
        CompletionStage<?> alone(T one);

        /** Answers one that was not sent, or that nobody will answer. */
        void failed(T one, Throwable failure);
    }

    /** Sends it in its turn: what came before is answered before, or with it. */
    void add(T asked) {
        waiting.add(asked);
        if (!underWay) {
            underWay = true;
            executor.execute(this::sendNext);
        }
    }

    private void sendNext() {
        List<T> next = next();
        underWay = !next.isEmpty();
        if (underWay) {
            send(next).whenComplete((answered, error) -> {
                if (error != null) {
                    next.forEach(one -> sending.failed(one, SharedConnection.unwrap(error)));
                }
                sendNext();
            });
        }
    }

    /** A failure to send, be it for lack of memory, is an answer too: what comes next has to go out. */
    private CompletionStage<?> send(List<T> all) {
        try {
            return all.size() == 1
                    ? sending.alone(all.get(0))
                    : sending.together(all)
                            .thenCompose(
                                    answered -> answered ? CompletableFuture.completedFuture(null) : eachAlone(all));
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(Failures.printable(e));
        }
    }

    private CompletableFuture<Void> eachAlone(List<T> all) {
        return CompletableFuture.allOf(all.stream()
                .map(sending::alone)
                .map(CompletionStage::toCompletableFuture)
                .toArray(CompletableFuture[]::new));
    }

    /** Completes what somebody waits for as a stage has completed. */
    static <A> boolean pass(CompletableFuture<A> to, @Nullable A answer, @Nullable Throwable error) {
        return error == null ? to.complete(answer) : to.completeExceptionally(SharedConnection.unwrap(error));
    }

    private List<T> next() {
        List<T> next = new ArrayList<>();
        int total = 0;
        for (T head = waiting.peek(); head != null; head = waiting.peek()) {
            total += bytes.applyAsInt(head);
            if (!next.isEmpty() && (total > maxBytes || !together.test(next.get(0), head))) {
                break;
            }
            next.add(waiting.remove());
        }
        return next;
    }
}
