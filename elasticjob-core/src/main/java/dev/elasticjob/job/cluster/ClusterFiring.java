package dev.elasticjob.job.cluster;

import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A firing of a job over all instances, as its cluster listeners see it. Immutable.
 *
 * @param runId the same in every call for this firing, and the run id that the items see: the job's name, {@code @} and
 *     the scheduled time, or the id of the request for a manual run
 * @param scheduledTime by the cron expression; empty for a manual run
 * @param items the items that belong to the firing: those that had an owner when it was opened
 * @param attempt 1 for the first call of this kind for the firing, and more if the instance that called before died or
 *     lost its session
 * @param fencingToken grows with each call for this firing. Pass it to your own storage, so that a call that has lost its
 *     lease without noticing can't overwrite the work of its successor
 * @param instance the id of the instance on which the listeners are called
 */
public record ClusterFiring(
        String jobName,
        String runId,
        Optional<Instant> scheduledTime,
        SortedSet<Integer> items,
        int attempt,
        long fencingToken,
        String instance) {
    public ClusterFiring {
        items = Collections.unmodifiableSortedSet(new TreeSet<>(items));
    }

    /** Whether it was requested, and not due by the cron expression. */
    public boolean isManual() {
        return scheduledTime.isEmpty();
    }
}
