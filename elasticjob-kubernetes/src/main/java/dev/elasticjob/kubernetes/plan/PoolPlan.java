package dev.elasticjob.kubernetes.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What is to be done for a pool, and what its status shows. Immutable.
 *
 * @param start the places of the workers to start
 * @param delete the names of workers that have never started and are from an older template
 * @param base how many workers are always there; empty to leave them as they are
 * @param memory for the next decision
 * @param jobs the names of its jobs, sorted
 * @param keeping the jobs because of which one worker stays, each with its setting
 * @param blocked why workers that were started don't get to work
 * @param lookAgain when something may change without an event
 */
public record PoolPlan(
        PoolView view,
        List<Place> start,
        List<String> delete,
        OptionalInt base,
        PoolMemory memory,
        List<String> jobs,
        List<String> keeping,
        Figures figures,
        Optional<Reason> blocked,
        Optional<Instant> lookAgain) {
    public PoolPlan {
        start = List.copyOf(start);
        delete = List.copyOf(delete);
        jobs = List.copyOf(jobs);
        keeping = List.copyOf(keeping);
    }

    /**
     * Of the pool's items and workers.
     *
     * @param workers how many there are, finished ones left out
     * @param registered how many of these are registered now
     * @param waiting how many of these have no container yet
     * @param need how many are asked for
     * @param openSince since when the oldest due work has waited, as far as it is known: as {@link dev.elasticjob.admin.JobDemand#openSince}
     */
    public record Figures(
            int open,
            int running,
            int workers,
            int registered,
            int waiting,
            int need,
            Optional<Instant> openSince,
            Optional<Instant> nextDue) {
        /** For how long that work has waited; zero if no item is open, and empty if it isn't known of any. */
        public Optional<Duration> openFor(Instant now) {
            return open == 0
                    ? Optional.of(Duration.ZERO)
                    : openSince.map(since -> since.isAfter(now) ? Duration.ZERO : Duration.between(since, now));
        }
    }

    /** A worker's place, and which worker of it it is. */
    public record Place(int ordinal, int number) {
        /** The name is the lock: two controllers that decide alike ask for the same. */
        public String name(String app, String pool) {
            return "%s-%s-%d-%d".formatted(app, pool, ordinal, number);
        }
    }
}
