package dev.elasticjob.time.manual;

import dev.elasticjob.time.PauseDetector;
import dev.elasticjob.time.TaskTimer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A clock and a timer that stand still until they are advanced, for tests without waiting, and for simulations. Tasks
 * run in the order of their time, then of their scheduling, on the thread that advances the time.
 */
public final class ManualTime extends Clock implements TaskTimer {
    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparing(Task::due).thenComparingLong(Task::number));
    private Instant now;
    private long scheduled;

    public ManualTime(Instant start) {
        this.now = start;
    }

    /** Advances the time, and runs each task at its own time. */
    public void advance(Duration duration) {
        Instant end = instant().plus(duration);
        for (Task task = nextUntil(end); task != null; task = nextUntil(end)) {
            task.action().run();
        }
        synchronized (tasks) {
            now = end;
        }
    }

    /** The time of the earliest waiting task. */
    public Optional<Instant> nextTask() {
        synchronized (tasks) {
            return Optional.ofNullable(tasks.peek()).map(Task::due);
        }
    }

    /** How many tasks wait for their time. */
    public int waiting() {
        synchronized (tasks) {
            return tasks.size();
        }
    }

    private @Nullable Task nextUntil(Instant end) {
        synchronized (tasks) {
            Task next = tasks.peek();
            if (next == null || next.due().isAfter(end)) {
                return null;
            }
            tasks.remove();
            if (next.due().isAfter(now)) {
                now = next.due();
            }
            return next;
        }
    }

    @Override
    public Cancellable after(Duration delay, Runnable action) {
        synchronized (tasks) {
            Task task = new Task(delay.isNegative() ? now : now.plus(delay), scheduled++, action);
            tasks.add(task);
            return () -> {
                synchronized (tasks) {
                    tasks.remove(task);
                }
            };
        }
    }

    @Override
    public long nanoTime() {
        Instant instant = instant();
        return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
    }

    /** Returns a detector that never finds a pause, because all processes share this time. Schedules nothing. */
    @Override
    public PauseDetector detectPauses(Duration unnoticed) {
        return new Awake();
    }

    @Override
    public Instant instant() {
        synchronized (tasks) {
            return now;
        }
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return Clock.fixed(instant(), zone);
    }

    private static final class Awake implements PauseDetector {
        @Override
        public long awakeSince(long moment, Duration awake) {
            return moment - awake.toNanos();
        }

        @Override
        public void close() {}
    }

    private record Task(Instant due, long number, Runnable action) {}
}
