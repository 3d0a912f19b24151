package dev.elasticjob.job.cluster;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the items of a firing have ended, over all instances. Immutable.
 *
 * @param items the outcome of each item that belonged to the firing, by item number
 */
public record FiringOutcomes(SortedMap<Integer, Outcome> items) {
    public FiringOutcomes {
        items = Collections.unmodifiableSortedMap(new TreeMap<>(items));
    }

    /** Whether at least one item completed, and all others completed or were skipped. */
    public boolean isSuccess() {
        return items.values().stream().anyMatch(outcome -> outcome.end() == End.COMPLETED)
                && items.values().stream().allMatch(outcome -> outcome.end().isFine());
    }

    /** Whether any item has begun, as far as is known: an item whose end is unknown may have. */
    public boolean mayHaveBegun() {
        return items.values().stream().anyMatch(outcome -> outcome.attempts() > 0 || outcome.end() == End.UNKNOWN);
    }

    /**
     * How one item has ended.
     *
     * @param attempts how often it was started; 0 if it never began
     * @param instance the id of the instance that ran it last; empty if it never began. Ids of more than 48 characters may
     *     be cut to that length
     */
    public record Outcome(End end, int attempts, String instance) {
        /** Of an item that never began. */
        public static Outcome notBegun(End end) {
            return new Outcome(end, 0, "");
        }
    }

    /** The ways in which an item can end a firing. */
    public enum End {
        COMPLETED,
        FAILED,
        /** Interrupted, or its instance died. Because failover is off, the execution is not repeated. */
        INTERRUPTED,
        /** Not run: the item was busy or without an instance until a later firing was due, which stands for this one too. */
        FOLDED,
        /** Not run: the item was busy or without an instance, and missed firings are not caught up on. */
        LOST,
        /** Not run, because the item was disabled, or executed an earlier firing in a job with {@code overlap=SKIP}. */
        SKIPPED,
        /** No longer known: the item has gone through more firings since than its record remembers, or was removed. */
        UNKNOWN;

        private boolean isFine() {
            return this == COMPLETED || this == SKIPPED;
        }
    }
}
