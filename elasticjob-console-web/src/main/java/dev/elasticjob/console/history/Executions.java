package dev.elasticjob.console.history;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Executions of any job, and firings that did not run. Immutable.
 *
 * @param executions the latest scheduled time first, with the heads of their failures
 * @param next continues with earlier ones; empty if there are none
 */
public record Executions(List<Entry> executions, Optional<String> next) {
    public Executions {
        executions = List.copyOf(executions);
    }

    /**
     * Which ones to look for.
     *
     * @param run the id of a firing or manual run
     * @param outcome as the trace calls it
     * @param from the earliest scheduled time
     * @param until the first scheduled time that is too late
     * @param before {@link Executions#next()} of an earlier answer; empty for the latest ones
     * @param limit the most of one answer
     */
    public record Filter(
            Optional<String> job,
            Optional<Integer> item,
            Optional<String> run,
            Optional<String> outcome,
            Optional<Instant> from,
            Optional<Instant> until,
            Optional<String> before,
            int limit) {}

    /**
     * Something that happened to an execution.
     *
     * @param state as Elastic-Job names it
     * @param message empty if there is nothing to add
     */
    public record Step(Instant at, String state, String message) {}
}
