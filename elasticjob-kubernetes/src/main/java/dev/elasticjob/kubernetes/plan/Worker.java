package dev.elasticjob.kubernetes.plan;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A worker on demand, as it was seen in the cluster. Immutable.
 *
 * @param ordinal its place in the pool, of which two workers that aren't finished never have the same
 * @param number which worker of this place it is, from 1
 * @param template the one it was started from
 * @param created when it was asked for
 * @param podCreated when its pod was made; empty before
 * @param started when its container started; empty before
 * @param ended when its container ended, by the clock of its node; empty before
 * @param pods the names of its pods that are known
 * @param reason why it isn't started, or why it has failed
 */
public record Worker(
        String name,
        int ordinal,
        int number,
        String template,
        Phase phase,
        Instant created,
        Optional<Instant> podCreated,
        Optional<Instant> started,
        Optional<Instant> ended,
        Set<String> pods,
        Optional<Reason> reason) {
    /** How far it has come. */
    public enum Phase {
        /** None of its containers has started. */
        PENDING,
        RUNNING,
        /** Ended with exit code 0. */
        SUCCEEDED,
        FAILED
    }

    public Worker {
        pods = Set.copyOf(pods);
    }

    public boolean isFinished() {
        return phase == Phase.SUCCEEDED || phase == Phase.FAILED;
    }
}
