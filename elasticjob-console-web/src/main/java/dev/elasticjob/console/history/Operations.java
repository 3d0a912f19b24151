package dev.elasticjob.console.history;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Commands of people. Immutable.
 *
 * @param operations the latest first
 * @param next continues with earlier ones; empty if there are none
 */
public record Operations(List<Operation> operations, Optional<String> next) {
    public Operations {
        operations = List.copyOf(operations);
    }

    /**
     * Which ones to look for.
     *
     * @param job also finds those that concern all jobs
     * @param refusedOnly whether to leave out those that succeeded
     * @param before {@link Operations#next()} of an earlier answer; empty for the latest ones
     * @param limit the most of one answer
     */
    public record Filter(
            Optional<String> job, Optional<String> actor, boolean refusedOnly, Optional<String> before, int limit) {}

    /**
     * One command.
     *
     * @param job {@code *} for all jobs of the namespace
     * @param before what was there; may be empty
     * @param succeeded false if it was refused, or failed
     * @param outcome what came of it, or why it was refused
     */
    public record Operation(
            Instant at,
            String job,
            String actor,
            String command,
            Optional<String> reason,
            String before,
            boolean succeeded,
            String outcome) {}
}
