package dev.elasticjob.console.api;

import dev.elasticjob.console.history.Firings;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Firings of a job with one letter for each item, because a thousand items of fifty firings are fifty thousand outcomes. What
 * else is known of an execution is asked for when somebody wants to see it, by its run and its item.
 *
 * @param letters what they mean, as the trace calls it
 * @param firings the latest first
 * @param next continues with earlier ones; empty if there are none
 */
record FiringGrid(SortedMap<Character, String> letters, List<Column> firings, Optional<String> next) {
    private static final char NONE = '-';

    /** Of an outcome that a later release has written. */
    private static final char OTHER = '?';

    private static final Map<Character, String> LETTERS = Map.ofEntries(
            Map.entry('R', "RUNNING"),
            Map.entry('C', "COMPLETED"),
            Map.entry('F', "FAILED"),
            Map.entry('T', "TIMEOUT"),
            Map.entry('I', "INTERRUPTED"),
            Map.entry('X', "CANCELLED"),
            Map.entry('L', "LOST"),
            Map.entry('O', "FOLDED"),
            Map.entry('S', "SKIPPED"),
            Map.entry('D', "DROPPED"),
            Map.entry('V', "OVERDUE"));

    private static final Map<String, Character> BY_OUTCOME =
            LETTERS.entrySet().stream().collect(Collectors.toUnmodifiableMap(Map.Entry::getValue, Map.Entry::getKey));

    /**
     * One firing or manual run.
     *
     * @param first the number of the first item that has an entry
     * @param outcomes a letter for each item from the first to the last that has an entry; {@code -} for one without
     * @param again how many executions an item had, if they are several
     */
    record Column(String runId, Instant scheduledAt, int first, String outcomes, SortedMap<Integer, Integer> again) {
        static Column of(Firings.Firing firing) {
            SortedMap<Integer, Firings.Cell> items = new TreeMap<>(firing.items());
            int first = items.isEmpty() ? 0 : items.firstKey();
            char[] outcomes = new char[items.isEmpty() ? 0 : items.lastKey() - first + 1];
            Arrays.fill(outcomes, NONE);
            SortedMap<Integer, Integer> again = new TreeMap<>();
            items.forEach((item, cell) -> {
                outcomes[item - first] = BY_OUTCOME.getOrDefault(cell.outcome(), OTHER);
                if (cell.executions() > 1) {
                    again.put(item, cell.executions());
                }
            });
            return new Column(firing.runId(), firing.scheduledAt(), first, new String(outcomes), again);
        }
    }

    static FiringGrid of(Firings found) {
        return new FiringGrid(
                new TreeMap<>(LETTERS), found.firings().stream().map(Column::of).toList(), found.next());
    }
}
