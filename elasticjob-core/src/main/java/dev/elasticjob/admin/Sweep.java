package dev.elasticjob.admin;

import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.time.TaskTimer;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All jobs of the namespace, read in parts while somebody asks: at most five requests a second on average, and none when
 * nobody does. What was read is kept until it is read again, so answers say how old they are. It is forgotten 30 s after
 * the last question.
 *
 * <p>Thread-safe; doesn't block.
 *
 * @param <T> what is known of a job
 */
final class Sweep<T> {
    private static final Duration PER_REQUEST = Duration.ofMillis(200);
    /** Between the end of one sweep and the next. */
    private static final Duration REST = Duration.ofSeconds(10);
    /** After the last question. */
    private static final Duration WATCHED = Duration.ofSeconds(30);

    private final Source<T> source;
    private final TaskTimer timer;
    private final Clock clock;

    /** Guarded by this object, as is everything below. */
    private final SortedMap<String, Swept.Entry<T>> read = new TreeMap<>();

    private int names;
    private boolean running;
    private boolean complete;
    /** Whether a task waits to forget what was read. */
    private boolean forgets;

    private long askedAtNanos;
    private long endedAtNanos;
    private @Nullable Throwable failure;
    private CompletableFuture<Boolean> firstPart = new CompletableFuture<>();

    /** @param clock dates what was read */
    public Sweep(Source<T> source, TaskTimer timer, Clock clock) {
        this.source = source;
        this.timer = timer;
        this.clock = clock;
    }

    /** Where the jobs are read. */
    public interface Source<T> {
        /** All jobs, in one request. */
        CompletionStage<NavigableSet<String>> names();

        /** The most jobs of one part. */
        int partSize();

        CompletionStage<Part<T>> read(List<String> names);
    }

    /**
     * Some jobs.
     *
     * @param values by name
     * @param requests how many it took to read them
     */
    public record Part<T>(SortedMap<String, T> values, long requests) {}

    /**
     * Answers with what is known, and goes on reading for a while.
     *
     * @return a stage that waits for the first part if nothing is known, and fails as the latest read did
     */
    public CompletionStage<Swept<T>> look() {
        boolean begins;
        CompletableFuture<Boolean> known;
        synchronized (this) {
            askedAtNanos = timer.nanoTime();
            boolean rests = complete && failure == null && timer.nanoTime() - endedAtNanos < REST.toNanos();
            begins = !running && !rests;
            if (begins && (read.isEmpty() || failure != null)) {
                firstPart = new CompletableFuture<>();
            }
            running |= begins;
            known = firstPart;
        }
        if (begins) {
            begin();
        }
        return known.thenCompose(any -> state());
    }

    private synchronized CompletionStage<Swept<T>> state() {
        if (failure != null) {
            return CompletableFuture.failedFuture(failure);
        }
        Optional<Swept.Entry<T>> oldest = read.values().stream().min(Comparator.comparing(Swept.Entry::readAt));
        return CompletableFuture.completedFuture(new Swept<>(
                List.copyOf(read.values()),
                new Swept.Progress(read.size(), names, complete, oldest.map(Swept.Entry::readAt))));
    }

    private void begin() {
        asked(source::names).whenComplete((found, error) -> {
            if (error == null) {
                take(found);
                next(Batch.groups(source.partSize(), List.copyOf(found)), 0);
            } else {
                end(Stages.unwrap(error));
            }
        });
    }

    private static <A> CompletionStage<A> asked(Supplier<CompletionStage<A>> question) {
        try {
            return question.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private synchronized void take(NavigableSet<String> found) {
        read.keySet().retainAll(found);
        names = found.size();
    }

    private void next(List<List<String>> parts, int place) {
        if (place == parts.size()) {
            end(null);
            return;
        }
        if (isForgotten()) {
            return;
        }
        asked(() -> source.read(parts.get(place))).whenComplete((part, error) -> {
            if (error == null) {
                store(part, place + 1 == parts.size());
                timer.after(PER_REQUEST.multipliedBy(part.requests()), () -> next(parts, place + 1));
            } else {
                end(Stages.unwrap(error));
            }
        });
    }

    private void store(Part<T> part, boolean last) {
        CompletableFuture<Boolean> known;
        synchronized (this) {
            part.values().forEach((name, value) -> read.put(name, new Swept.Entry<>(value, clock.instant())));
            failure = null;
            complete |= last;
            known = firstPart;
        }
        known.complete(true);
    }

    private void end(@Nullable Throwable error) {
        CompletableFuture<Boolean> known;
        boolean forgetsNow;
        synchronized (this) {
            running = false;
            failure = error;
            complete |= error == null;
            endedAtNanos = timer.nanoTime();
            known = firstPart;
            forgetsNow = !forgets;
            forgets = true;
        }
        if (forgetsNow) {
            forgetAfter(WATCHED);
        }
        known.complete(true);
    }

    // ------------------------------------------------------------------ when nobody asks

    /** A sweep that nobody has asked for in the meantime stops. */
    private synchronized boolean isForgotten() {
        if (unwatched().isPresent()) {
            return false;
        }
        running = false;
        forget();
        return true;
    }

    private void forgetAfter(Duration delay) {
        timer.after(delay, () -> {
            Optional<Duration> rest;
            synchronized (this) {
                // A sweep under way ends with another task.
                rest = running ? Optional.empty() : unwatched();
                forgets = rest.isPresent();
                if (!running && rest.isEmpty()) {
                    forget();
                }
            }
            rest.ifPresent(this::forgetAfter);
        });
    }

    /** How long what was read is still kept; empty if nobody has asked for a while. */
    private synchronized Optional<Duration> unwatched() {
        return Optional.of(WATCHED.minusNanos(timer.nanoTime() - askedAtNanos))
                .filter(rest -> !rest.isNegative() && !rest.isZero());
    }

    private synchronized void forget() {
        complete = false;
        failure = null;
        read.clear();
    }
}
