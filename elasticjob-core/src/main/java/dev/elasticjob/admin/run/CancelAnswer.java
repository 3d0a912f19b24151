package dev.elasticjob.admin.run;

import dev.elasticjob.coordination.state.ItemRanges;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What came of a cancellation.
 *
 * @param runId the run id of the firing or the manual run
 * @param items the items that have, or had, to do with it
 */
public record CancelAnswer(String runId, SortedMap<Integer, Result> items) {
    public CancelAnswer {
        items = Collections.unmodifiableSortedMap(new TreeMap<>(items));
    }

    /** The run and its items, in words. */
    public String text() {
        Map<Result, List<Integer>> results = new EnumMap<>(Result.class);
        items.forEach((item, result) ->
                results.computeIfAbsent(result, any -> new ArrayList<>()).add(item));
        return results.entrySet().stream()
                .map(result -> "items [" + ItemRanges.text(result.getValue()) + "] " + result.getKey())
                .collect(Collectors.joining(", ", "run " + runId + ": ", ""));
    }

    /** What came of it for one item. */
    public enum Result {
        /**
         * It is executing. Its thread is interrupted as soon as the instance hears of it, and its record becomes {@code
         * FAILED} when the thread has returned, even if the job's code completes first. It is not repeated.
         */
        ASKED,
        /** It was cancelled, and has ended. */
        CANCELLED,
        /** It had not begun the firing, and won't. */
        SKIPPED,
        /** The run waited for the item, and won't begin. */
        DROPPED,
        /** It had ended before. */
        ENDED,
        /** It still has an earlier execution, and may begin the firing after that: cancel that one, then this one again. */
        BUSY,
        /** Its record can't be read. Nothing starts there until it is corrected. */
        UNREADABLE;

        /** Whether the command has ended something, now or before. */
        boolean isEffective() {
            return this == ASKED || this == CANCELLED || this == SKIPPED || this == DROPPED;
        }
    }
}
