package dev.elasticjob.spring.trace;

import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobState;
import java.time.Instant;

/**
 * An event that waits for the database.
 *
 * @param at when it was reported
 */
record TracedEvent(JobEvent event, Instant at) {
    /** Has no rows: only makes the writer look around. */
    static final TracedEvent WAKE_UP =
            new TracedEvent(new JobEvent.StateChanged("", JobState.LATENT, JobState.LATENT), Instant.EPOCH);

    /** Whether the trace has rows for events of this kind: executions, firings that did not run or begin, commands. */
    static boolean isTraced(JobEvent event) {
        return event instanceof JobEvent.ItemStarted
                || event instanceof JobEvent.ItemRetried
                || event instanceof JobEvent.ItemFinished
                || event instanceof JobEvent.ItemInterrupted
                || event instanceof JobEvent.ItemCancelled
                || event instanceof JobEvent.ItemRefused
                || event instanceof JobEvent.FiringsFolded
                || event instanceof JobEvent.FiringsLost
                || event instanceof JobEvent.FiringsSkipped
                || event instanceof JobEvent.ManualRunDropped
                || event instanceof JobEvent.ItemStuck
                || event instanceof JobEvent.FiringOverdue
                || event instanceof JobEvent.CommandEnded;
    }
}
