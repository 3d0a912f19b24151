package dev.elasticjob.admin;

import dev.elasticjob.job.RunEnd;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What came of a run of a job.
 *
 * @param items how it ended for each item that was asked
 * @param disabled items, which were left out
 */
public record RunOutcome(String runId, SortedMap<Integer, ItemEnd> items, SortedSet<Integer> disabled) {
    public RunOutcome {
        items = Collections.unmodifiableSortedMap(new TreeMap<>(items));
        disabled = Collections.unmodifiableSortedSet(new TreeSet<>(disabled));
    }

    /** Whether there was something to do, and every item that was asked has completed. */
    public boolean isCompleted() {
        return !items.isEmpty() && items.values().stream().allMatch(item -> item.end() == RunEnd.COMPLETED);
    }

    /**
     * What came of one item.
     *
     * @param failure the head of the failure's text, where the item's record still has it
     */
    public record ItemEnd(RunEnd end, Optional<String> failure) {}
}
