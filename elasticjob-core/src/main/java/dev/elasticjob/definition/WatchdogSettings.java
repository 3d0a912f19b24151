package dev.elasticjob.definition;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When a job is reported as stuck. Reports change nothing about the job.
 *
 * @param stuckAfter how long an item may execute; zero means any time
 * @param expectWithin how long after a scheduled time the first item has to have begun; zero means any time
 */
public record WatchdogSettings(Duration stuckAfter, Duration expectWithin) {
    /** Reports nothing. */
    public static final WatchdogSettings OFF = new WatchdogSettings(Duration.ZERO, Duration.ZERO);

    public boolean watchesExecutions() {
        return !stuckAfter.isZero();
    }

    public boolean watchesFirings() {
        return !expectWithin.isZero();
    }

    /** How long an execution may take, if one that began at that time has taken longer. */
    public Optional<Duration> exceeded(Instant since, Instant now) {
        return watchesExecutions() && since.plus(stuckAfter).isBefore(now) ? Optional.of(stuckAfter) : Optional.empty();
    }
}
