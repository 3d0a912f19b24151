package dev.elasticjob.admin.command;

import dev.elasticjob.coordination.state.ManualRun;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;

/**
 * A request for a run of a job in addition to its schedule.
 *
 * @param runId 1 to 64 letters, digits, or any of {@code ._:-}; part of the executions' task id. Repeating a request
 *     with the same id triggers no second run
 * @param parameter the value of {@link dev.elasticjob.job.ShardingContext#getRunParameter()} for every item of this
 *     run: at most 512 bytes of UTF-8, without control characters; empty if there is none
 * @param items the items to run; empty for all
 */
public record RunRequest(String runId, String parameter, SortedSet<Integer> items) {
    /** @throws IllegalArgumentException if a value is invalid; the message names it */
    public RunRequest {
        ManualRun.of(runId, parameter);
        items = Collections.unmodifiableSortedSet(new TreeSet<>(items));
    }

    /** A run of all items. */
    public RunRequest(String runId, String parameter) {
        this(runId, parameter, Collections.emptySortedSet());
    }

    /** Creates a request for a new run. */
    public static RunRequest create() {
        return withParameter("");
    }

    /** Creates a request for a new run with a parameter. */
    public static RunRequest withParameter(String parameter) {
        return new RunRequest(UUID.randomUUID().toString(), parameter);
    }

    /**
     * Returns a copy for some items only.
     *
     * @throws IllegalArgumentException if there are none: a request without items would run all of them
     */
    public RunRequest ofItems(Collection<Integer> some) {
        if (some.isEmpty()) {
            throw new IllegalArgumentException(
                    "Expected at least one item to run, but there was none: for all items, leave them out");
        }
        return new RunRequest(runId, parameter, new TreeSet<>(some));
    }

    ManualRun run() {
        return ManualRun.of(runId, parameter);
    }
}
