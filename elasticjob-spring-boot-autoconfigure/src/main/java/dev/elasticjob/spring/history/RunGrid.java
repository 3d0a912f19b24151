package dev.elasticjob.spring.history;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The runs of a job as columns, and its items as rows.
 *
 * @param runs the latest first
 * @param next continues with earlier runs; empty if there are none
 */
public record RunGrid(String jobName, List<Run> runs, Optional<HistoryCursor> next) {
    /** The widest grid. */
    public static final int MOST_RUNS = 200;

    public RunGrid {
        runs = List.copyOf(runs);
    }

    /** All items that have an entry in one of the runs. */
    public SortedSet<Integer> items() {
        SortedSet<Integer> items = new TreeSet<>();
        runs.forEach(run -> items.addAll(run.cells().keySet()));
        return items;
    }

    /**
     * One firing or manual run.
     *
     * @param scheduledTime the latest of its entries
     * @param cells by item: each attempt in order, and firings of the item that did not run. Several entries if the item was
     *     interrupted. Empty if nobody has begun the firing
     */
    public record Run(String runId, Instant scheduledTime, Map<Integer, List<Cell>> cells) {
        public Run {
            Map<Integer, List<Cell>> copy = new TreeMap<>();
            cells.forEach((item, entries) -> copy.put(item, List.copyOf(entries)));
            cells = copy;
        }
    }

    /**
     * An execution of an item, or firings of it that did not run.
     *
     * @param id of its {@link HistoryEntry}
     * @param missedFirings 0 for an execution
     */
    public record Cell(
            String id,
            HistoryOutcome outcome,
            int attempt,
            Optional<String> instance,
            Optional<Instant> startTime,
            Optional<Instant> completeTime,
            int missedFirings) {}
}
