package dev.elasticjob.console.live;

import dev.elasticjob.admin.Attention;
import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.JobPage;
import dev.elasticjob.admin.JobReport;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
 * All jobs of a registry, read in parts while somebody looks: at most five requests a second on average, and none when
 * nobody does. What was read stays until it is read again, so the answers say how old they are.
 *
 * <p>Thread-safe; doesn't block.
 */
public final class Sweep {
    private static final Duration PER_REQUEST = Duration.ofMillis(200);
    /** Between the end of one sweep and the next. */
    private static final Duration REST = Duration.ofSeconds(10);
    /** After the last question. */
    private static final Duration WATCHED = Duration.ofSeconds(30);

    private static final int ITEMS_OF_A_REQUEST = 1_000;

    private final JobInspector inspector;
    private final Asking asking;
    private final TaskTimer timer;
    private final Supplier<Instant> now;

    /** Guarded by this object, as is everything below. */
    private final SortedMap<String, Swept> jobs = new TreeMap<>();

    private int names;
    private boolean running;
    private boolean complete;
    private long askedAtNanos;
    private long endedAtNanos;
    private @Nullable Throwable failure;
    private CompletableFuture<Boolean> firstPart = new CompletableFuture<>();

    /** @param now the time by which answers are dated */
    public Sweep(JobInspector inspector, Asking asking, Supplier<Instant> now) {
        this.inspector = inspector;
        this.asking = asking;
        this.timer = asking.timer();
        this.now = now;
    }

    /**
     * One job as it was read.
     *
     * @param job without its items
     */
    public record Swept(JobReport job, List<Finding> findings, Instant readAt) {}

    /**
     * What has been read until now.
     *
     * @param jobs ordered by name
     * @param names how many jobs there are
     * @param complete whether each of them has been read at least once
     * @param oldest when the oldest of them was read; empty if there is none
     */
    public record State(List<Swept> jobs, int names, boolean complete, Optional<Instant> oldest) {}

    /**
     * Answers with what is known, and goes on reading for a while.
     *
     * @return a stage that waits for the first part if nothing is known, and fails as the latest read did
     */
    public CompletionStage<State> look() {
        boolean begins;
        CompletableFuture<Boolean> known;
        synchronized (this) {
            askedAtNanos = timer.nanoTime();
            if (jobs.isEmpty() && !running && !complete) {
                firstPart = new CompletableFuture<>();
            }
            begins = !running && (!complete || timer.nanoTime() - endedAtNanos >= REST.toNanos());
            running |= begins;
            known = firstPart;
        }
        if (begins) {
            begin();
        }
        return known.thenCompose(any -> state());
    }

    private synchronized CompletionStage<State> state() {
        if (failure != null) {
            return CompletableFuture.failedFuture(failure);
        }
        Optional<Instant> oldest = jobs.values().stream().map(Swept::readAt).min(Comparator.naturalOrder());
        return CompletableFuture.completedFuture(new State(List.copyOf(jobs.values()), names, complete, oldest));
    }

    private void begin() {
        asking.ask(inspector::names, found -> found).whenComplete((found, error) -> {
            if (error == null) {
                take(found);
                next(parts(found), 0);
            } else {
                end(error);
            }
        });
    }

    private synchronized void take(NavigableSet<String> found) {
        jobs.keySet().retainAll(found);
        names = found.size();
    }

    private static List<List<String>> parts(NavigableSet<String> names) {
        List<String> all = List.copyOf(names);
        List<List<String>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += JobInspector.MOST_DETAILS) {
            parts.add(all.subList(from, Math.min(from + JobInspector.MOST_DETAILS, all.size())));
        }
        return parts;
    }

    private void next(List<List<String>> parts, int place) {
        if (place == parts.size()) {
            end(null);
            return;
        }
        if (isForgotten()) {
            return;
        }
        asking.ask(() -> inspector.details(parts.get(place)), read -> read).whenComplete((read, error) -> {
            if (error == null) {
                store(read);
                timer.after(PER_REQUEST.multipliedBy(requests(read)), () -> next(parts, place + 1));
            } else {
                end(error);
            }
        });
    }

    private static long requests(List<JobReport> read) {
        long items = read.stream().mapToLong(job -> job.items().size()).sum();
        return 1 + read.size() / JobPage.SIZE + items / ITEMS_OF_A_REQUEST;
    }

    private void store(List<JobReport> read) {
        Instant readAt = now.get();
        CompletableFuture<Boolean> known;
        synchronized (this) {
            for (JobReport job : read) {
                jobs.put(job.name(), new Swept(job.withoutItems(), Attention.of(job), readAt));
            }
            failure = null;
            known = firstPart;
        }
        known.complete(true);
    }

    /** When nobody has asked for a while, the sweep stops, and what it has read is old before it is asked for again. */
    private synchronized boolean isForgotten() {
        if (timer.nanoTime() - askedAtNanos < WATCHED.toNanos()) {
            return false;
        }
        running = false;
        complete = false;
        jobs.clear();
        return true;
    }

    private void end(@Nullable Throwable error) {
        CompletableFuture<Boolean> known;
        synchronized (this) {
            running = false;
            failure = error;
            complete |= error == null;
            endedAtNanos = timer.nanoTime();
            known = firstPart;
        }
        known.complete(true);
    }
}
