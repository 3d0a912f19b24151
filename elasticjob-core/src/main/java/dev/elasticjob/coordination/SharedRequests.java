package dev.elasticjob.coordination;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.ToIntFunction;

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
final class SharedRequests<T> {
    private final int maxBytes;
    private final ToIntFunction<T> bytes;
    private final BiPredicate<T, T> together;
    private final Function<List<T>, CompletionStage<?>> send;
    private final Executor executor;
    private final Deque<T> waiting = new ArrayDeque<>();
    private boolean underWay;

    /**
     * @param maxBytes of a request; what is larger by itself goes alone
     * @param together whether two may share a request
     * @param send sends some, in order, and answers them; completes on the executor, when all are answered
     */
    SharedRequests(
            int maxBytes,
            ToIntFunction<T> bytes,
            BiPredicate<T, T> together,
            Function<List<T>, CompletionStage<?>> send,
            Executor executor) {
        this.maxBytes = maxBytes;
        this.bytes = bytes;
        this.together = together;
        this.send = send;
        this.executor = executor;
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
            send.apply(next).whenComplete((answered, error) -> sendNext());
        }
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
