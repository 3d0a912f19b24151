package dev.elasticjob.job.after;

import java.time.Instant;
import java.util.Optional;

/**
 * A firing of another job after which this one runs.
 *
 * @param jobName the other job
 * @param runId the id of its run, as the other job's executions had it
 * @param scheduledTime the scheduled time that started the chain of jobs; empty if a manual run did
 * @param success whether at least one item completed, and each other item completed or was skipped
 * @param ends how the items ended, for people, for example {@code COMPLETED 0-98; FAILED 99}; may be cut
 */
public record ParentFiring(
        String jobName, String runId, Optional<Instant> scheduledTime, boolean success, String ends) {}
