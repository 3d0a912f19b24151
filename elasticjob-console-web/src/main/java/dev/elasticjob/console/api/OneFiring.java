package dev.elasticjob.console.api;

import dev.elasticjob.console.history.Entry;
import dev.elasticjob.console.history.Executions;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * One firing or manual run of a job with all executions of its items.
 *
 * @param executions by item, and of one item by attempt
 * @param complete whether these are all of them: {@value #MOST_EXECUTIONS} are listed at most
 */
record OneFiring(String runId, Instant scheduledAt, List<Part> executions, boolean complete) {
    static final int MOST_EXECUTIONS = 1_000;

    /**
     * One execution, or that an item did not run.
     *
     * @param outcome as the trace calls it
     * @param attempt 1 at first, and higher after interruptions; 0 for an item that did not run
     * @param failure the first line of it
     */
    record Part(
            String id,
            int item,
            String outcome,
            int attempt,
            Optional<String> instance,
            Optional<Instant> startedAt,
            Optional<Instant> endedAt,
            Optional<String> failure) {
        static Part of(Entry entry) {
            return new Part(
                    entry.id(),
                    entry.item(),
                    entry.outcome(),
                    entry.attempt(),
                    entry.instance(),
                    entry.startedAt(),
                    entry.endedAt(),
                    entry.failure().flatMap(text -> text.lines().findFirst()));
        }
    }

    /** Empty if there is no execution of it. */
    static Optional<OneFiring> of(Executions found) {
        return found.executions().stream()
                .findFirst()
                .map(first -> new OneFiring(
                        first.runId(),
                        first.scheduledAt(),
                        found.executions().stream()
                                .map(Part::of)
                                .sorted(Comparator.comparing(Part::item).thenComparing(Part::attempt))
                                .toList(),
                        found.next().isEmpty()));
    }
}
