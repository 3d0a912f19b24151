package dev.elasticjob.spring.trace;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what was not recorded, what is being written, and which writes failed. Safe for use by any thread. */
final class TraceCounts {
    private final AtomicLong total = new AtomicLong();
    private final AtomicLong reported = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    /** Replaced by the thread that writes. */
    private volatile List<TracedEvent> writing = List.of();

    void add(int events) {
        total.addAndGet(events);
    }

    /**
     * Counts one event.
     *
     * @return whether it is the first since the last report
     */
    boolean addFirst() {
        return total.getAndIncrement() == reported.get();
    }

    long total() {
        return total.get();
    }

    /** How many were dropped since this was asked before. */
    long sinceLastReport() {
        long now = total.get();
        return now - reported.getAndSet(now);
    }

    /** These have left the queue and are not written yet. */
    void begin(List<TracedEvent> batch) {
        writing = List.copyOf(batch);
    }

    void end() {
        writing = List.of();
    }

    int writing() {
        return writing.size();
    }

    /** When the oldest of those that are being written happened. */
    Optional<Instant> oldest() {
        return writing.stream().findFirst().map(TracedEvent::at);
    }

    void failed() {
        failures.incrementAndGet();
    }

    long failures() {
        return failures.get();
    }
}
