package dev.elasticjob.console.history;

import java.time.Instant;
import java.util.Optional;

/**
 * One execution of an item, or a firing of it that did not run.
 *
 * @param outcome as the trace calls it
 * @param attempt 1 at first, and higher after interruptions; 0 for a firing that did not run
 * @param missedFirings how many firings the entry stands for, if they did not run
 * @param failure the whole text
 */
public record Entry(
        String id,
        String job,
        int item,
        String runId,
        Instant scheduledAt,
        String outcome,
        int attempt,
        int retries,
        int missedFirings,
        Optional<String> actor,
        Optional<String> instance,
        Optional<Instant> startedAt,
        Optional<Instant> endedAt,
        Optional<String> failure) {}
