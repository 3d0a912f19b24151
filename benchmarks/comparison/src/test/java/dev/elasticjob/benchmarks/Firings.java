package dev.elasticjob.benchmarks;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The firings that a contender has told of, of which there may be many. Safe for use by any thread. */
final class Firings {
    private static final int PATIENCE_SECONDS = 180;

    private final List<Firing> told = new ArrayList<>();
    private final Map<Integer, CompletableFuture<Boolean>> waiting = new HashMap<>();

    /** One of them: its delays are those of the first and the last of its executions. */
    record Firing(Instant scheduledAt, double firstMillis, double lastMillis) {
        Instant lastAt() {
            return scheduledAt.plusNanos((long) (lastMillis * 1_000_000));
        }
    }

    synchronized void add(Firing firing) {
        told.add(firing);
        CompletableFuture<Boolean> reached = waiting.remove(told.size());
        if (reached != null) {
            reached.complete(true);
        }
    }

    synchronized int count() {
        return told.size();
    }

    /** Waits for so many since the start. */
    List<Firing> await(int count) {
        reached(count).orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        synchronized (this) {
            return List.copyOf(told.subList(0, count));
        }
    }

    /** Those told of from now on to a moment: how many there are then is what is measured, so time itself is waited for. */
    List<Firing> until(Instant end) {
        int known = count();
        new CompletableFuture<Boolean>()
                .completeOnTimeout(true, Duration.between(Instant.now(), end).toMillis(), TimeUnit.MILLISECONDS)
                .join();
        synchronized (this) {
            return List.copyOf(told.subList(known, told.size()));
        }
    }

    private synchronized CompletableFuture<Boolean> reached(int count) {
        return told.size() >= count
                ? CompletableFuture.completedFuture(true)
                : waiting.computeIfAbsent(count, any -> new CompletableFuture<>());
    }
}
