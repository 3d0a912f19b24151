package dev.elasticjob.coordination;

import java.util.Optional;

/**
 * Who leads a job. The leader plans the assignment of items; nothing that is promised depends on there being exactly
 * one, so use it for liveness only (a report to write once, a cache to warm), never for mutual exclusion.
 *
 * <p>Answers from what this instance saw last: at once, without a request, and possibly a moment behind. Safe for use
 * by any thread.
 */
public interface LeaderElection {
    /**
     * The id of the instance that leads the job; empty while nobody is known to.
     *
     * @throws IllegalArgumentException when this engine has no such job
     */
    Optional<String> leader(String jobName);

    /**
     * Whether this instance leads the job, as far as it knows. False while it is without a connection.
     *
     * @throws IllegalArgumentException when this engine has no such job
     */
    boolean isLeader(String jobName);
}
