package dev.elasticjob.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What was heard so far, events or lines of output, and a way to wait for more of it, with an upper bound. Safe for use
 * by any thread.
 */
public final class Heard<T> {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<T> all = new ArrayList<>();
    private final List<Waiter<T>> waiters = new ArrayList<>();

    private record Waiter<T>(Predicate<List<T>> enough, CompletableFuture<Void> reached) {}

    public void add(T next) {
        List<Waiter<T>> woken;
        synchronized (this) {
            all.add(next);
            woken = waiters.stream().filter(waiter -> waiter.enough().test(all)).toList();
            waiters.removeAll(woken);
        }
        woken.forEach(waiter -> waiter.reached().complete(null));
    }

    public synchronized List<T> all() {
        return List.copyOf(all);
    }

    /** Forgets what was heard so far. */
    public synchronized void clear() {
        all.clear();
    }

    /** Nothing more will come: whoever waits is told so at once. */
    public void end() {
        List<Waiter<T>> woken;
        synchronized (this) {
            woken = List.copyOf(waiters);
            waiters.clear();
        }
        woken.forEach(waiter -> waiter.reached().completeExceptionally(new IllegalStateException("it has ended")));
    }

    /**
     * Waits until what was heard is enough.
     *
     * @param what is waited for, for the failure
     * @param enough judges all that was heard so far, oldest first
     */
    public void await(String what, Predicate<List<T>> enough) {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        synchronized (this) {
            if (enough.test(all)) {
                return;
            }
            waiters.add(new Waiter<>(enough, reached));
        }
        try {
            reached.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            throw new AssertionError(
                    "Waited for %s, and gave up (%s). What was heard:%n%s".formatted(what, e.getCause(), this), e);
        }
    }

    @Override
    public String toString() {
        return all().stream().map(String::valueOf).collect(Collectors.joining("\n"));
    }
}
