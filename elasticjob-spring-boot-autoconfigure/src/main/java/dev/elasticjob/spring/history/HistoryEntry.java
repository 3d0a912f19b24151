package dev.elasticjob.spring.history;

import dev.elasticjob.job.event.ExecutionTrigger;
import java.time.Instant;
import java.util.Optional;

/**
 * One execution of an item, or one or more firings of it that did not run.
 *
 * @param id unique for each entry
 * @param item {@value #ALL_ITEMS} for a firing that nobody had begun in time
 * @param runId the same for all items of a firing or manual run
 * @param scheduledTime of the firing; the time of the claim for a manual run; the first of several firings that did not run
 * @param attempt 1 at first, and higher after interruptions; 0 for a firing that did not run
 * @param trigger empty for a firing that did not run
 * @param actor who requested a manual run, if it is known
 * @param instance empty if no instance ran it
 * @param startTime empty if it has not run, and if its start was not recorded
 * @param completeTime when it ended, or was found lost; empty while it runs
 * @param retries how many times it was retried on its instance
 * @param missedFirings the number of firings that this entry stands for, if they did not run; 0 for an execution
 * @param failure its class, message and stack trace; only the first {@value #HEAD} characters in lists
 */
public record HistoryEntry(
        String id,
        String jobName,
        int item,
        String runId,
        Instant scheduledTime,
        int attempt,
        Optional<ExecutionTrigger> trigger,
        Optional<String> actor,
        Optional<String> instance,
        Optional<String> hostname,
        Optional<Instant> startTime,
        Optional<Instant> completeTime,
        HistoryOutcome outcome,
        int retries,
        int missedFirings,
        Optional<String> failure) {
    /** The item of an entry about a firing as a whole. */
    public static final int ALL_ITEMS = -1;

    /** In characters. */
    public static final int HEAD = 500;
}
