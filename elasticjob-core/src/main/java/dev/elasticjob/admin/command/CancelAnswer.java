package dev.elasticjob.admin.command;

import dev.elasticjob.coordination.state.ItemRanges;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What came of a cancellation.
 *
 * @param runs by run id, the items on which that firing or manual run was to end. One run, unless several items were named
 *     without a run
 * @param items what came of it for each item: those that were named, or those that have, or had, to do with the run
 */
public record CancelAnswer(SortedMap<String, SortedSet<Integer>> runs, SortedMap<Integer, Result> items) {
    public CancelAnswer {
        SortedMap<String, SortedSet<Integer>> copy = new TreeMap<>();
        runs.forEach((runId, of) -> copy.put(runId, Collections.unmodifiableSortedSet(new TreeSet<>(of))));
        runs = Collections.unmodifiableSortedMap(copy);
        items = Collections.unmodifiableSortedMap(new TreeMap<>(items));
    }

    /**
     * The run id of the firing or the manual run.
     *
     * @throws IllegalStateException if the items have executed several: ask for {@link #runs()}
     */
    public String runId() {
        if (runs.size() != 1) {
            throw new IllegalStateException(
                    "Expected one run, but the items have executed %d: ask for runs()".formatted(runs.size()));
        }
        return runs.firstKey();
    }

    /** {@link #runs()} with the items as text, such as {@code 1,3-5}. */
    public SortedMap<String, String> ranges() {
        SortedMap<String, String> ranges = new TreeMap<>();
        runs.forEach((runId, of) -> ranges.put(runId, ItemRanges.text(List.copyOf(of))));
        return ranges;
    }

    /** The runs and their items, in words. */
    public String text() {
        Stream<String> ofRuns =
                runs.entrySet().stream().map(run -> "run " + run.getKey() + ": " + text(run.getValue()));
        NavigableSet<Integer> others = new TreeSet<>(items.keySet());
        runs.values().forEach(others::removeAll);
        return Stream.concat(ofRuns, others.isEmpty() ? Stream.empty() : Stream.of(text(others)))
                .collect(Collectors.joining("; "));
    }

    private String text(Collection<Integer> some) {
        Map<Result, List<Integer>> results = new EnumMap<>(Result.class);
        some.forEach(item -> results.computeIfAbsent(items.get(item), any -> new ArrayList<>())
                .add(item));
        return results.entrySet().stream()
                .map(result -> "items [" + ItemRanges.shown(result.getValue()) + "] " + result.getKey())
                .collect(Collectors.joining(", "));
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
        UNREADABLE,
        /** It was named, but executes nothing that can be cancelled, or has nothing to do with the run. */
        NOTHING;

        /** Whether the command has ended something, now or before. */
        boolean isEffective() {
            return this == ASKED || this == CANCELLED || this == SKIPPED || this == DROPPED;
        }
    }
}
