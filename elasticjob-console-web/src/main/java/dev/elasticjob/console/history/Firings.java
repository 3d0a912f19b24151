package dev.elasticjob.console.history;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Firings and manual runs of a job. Immutable.
 *
 * @param firings the latest first
 * @param next continues with earlier ones; empty if there are none
 */
public record Firings(List<Firing> firings, Optional<String> next) {
    public Firings {
        firings = List.copyOf(firings);
    }

    /**
     * One firing or manual run.
     *
     * @param items what the trace has of each item
     */
    public record Firing(String runId, Instant scheduledAt, Map<Integer, Cell> items) {
        public Firing {
            items = new TreeMap<>(items);
        }
    }

    /**
     * The latest execution of an item for a firing, or that the item did not run.
     *
     * @param id of its {@link Entry}
     * @param outcome as the trace calls it
     * @param executions how many there are; more than one after interruptions
     */
    public record Cell(
            String id,
            String outcome,
            int executions,
            Optional<String> instance,
            Optional<Instant> startedAt,
            Optional<Instant> endedAt) {}

    /**
     * How a firing or manual run ended, all items together.
     *
     * @param outcome as the trace calls it: the worst that an item has
     * @param items how many have an entry
     * @param completed how many of them have completed
     */
    public record End(
            String runId,
            Instant scheduledAt,
            String outcome,
            int items,
            int completed,
            Optional<Instant> startedAt,
            Optional<Instant> endedAt) {}
}
