package dev.elasticjob.spring.trace;

import java.util.concurrent.atomic.AtomicLong;

/** Counts what was not recorded. Safe for use by any thread. */
final class DropCount {
    private final AtomicLong total = new AtomicLong();
    private final AtomicLong reported = new AtomicLong();

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
}
