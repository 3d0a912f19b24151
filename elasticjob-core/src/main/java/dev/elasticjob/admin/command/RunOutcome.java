package dev.elasticjob.admin.command;

import dev.elasticjob.job.RunEnd;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The outcome of a run of a job.
 *
 * @param items how the run ended for each triggered item
 * @param disabled the disabled items, which did not run
 */
public record RunOutcome(String runId, SortedMap<Integer, ItemEnd> items, SortedSet<Integer> disabled) {
    public RunOutcome {
        items = Collections.unmodifiableSortedMap(new TreeMap<>(items));
        disabled = Collections.unmodifiableSortedSet(new TreeSet<>(disabled));
    }

    /**
     * Whether at least one item was triggered, and none of them failed. An outcome always belongs to a run that has ended;
     * how each item ended is in {@link #items}.
     */
    public boolean isSuccessful() {
        return !items.isEmpty() && items.values().stream().allMatch(item -> item.end() == RunEnd.COMPLETED);
    }

    /**
     * The outcome of one item.
     *
     * @param failure the beginning of the failure's text, if the item's record still contains it
     */
    public record ItemEnd(RunEnd end, Optional<String> failure) {}
}
