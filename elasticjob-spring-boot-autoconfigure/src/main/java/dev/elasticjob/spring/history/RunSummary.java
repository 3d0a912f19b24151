package dev.elasticjob.spring.history;

import java.time.Instant;
import java.util.Optional;

/**
 * How a firing or manual run of a job ended, all items together. Immutable.
 *
 * @param scheduledTime the latest of its entries
 * @param outcome {@link HistoryOutcome#RUNNING} while an item runs, {@link HistoryOutcome#COMPLETED} if each item has completed,
 *     also at a later attempt; otherwise the worst outcome that an item has
 * @param items how many have an entry; 0 if nobody has begun the firing
 * @param completed how many of them have completed
 * @param startTime when the first item started
 * @param completeTime when the last one that has ended did
 */
public record RunSummary(
        String runId,
        Instant scheduledTime,
        HistoryOutcome outcome,
        int items,
        int completed,
        Optional<Instant> startTime,
        Optional<Instant> completeTime) {
    /** The most runs of one job in an answer. */
    public static final int MOST_RUNS = 50;

    /** The most jobs of an answer. */
    public static final int MOST_JOBS = 50;
}
