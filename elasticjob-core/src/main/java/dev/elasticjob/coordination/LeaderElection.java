package dev.elasticjob.coordination;

import java.util.Optional;

/**
 * Shows which instance leads a job. The leader plans the assignment of items. No guarantee depends on there being
 * exactly one leader, so use this for liveness only (writing a report once, warming a cache), never for mutual
 * exclusion.
 *
 * <p>Answers come from the state that this instance saw last: at once, without a request, and possibly slightly
 * outdated. Thread-safe.
 */
public interface LeaderElection {
    /**
     * The id of the instance that leads the job; empty while no leader is known.
     *
     * @throws IllegalArgumentException if this engine has no such job
     */
    Optional<String> leader(String jobName);

    /**
     * Whether this instance leads the job, as it last saw it. False while it is not connected.
     *
     * @throws IllegalArgumentException if this engine has no such job
     */
    boolean isLeader(String jobName);
}
