package dev.elasticjob.coordination;

import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.job.event.JobState;

/** Receives the state changes of one job on this instance. Called on the coordination executor. */
public interface CoordinationListener {
    /**
     * This instance may claim these items from now on.
     *
     * @param standing ACTIVE, or the way in which operators keep it from starting anything
     * @param pausedItself whether {@code pauseAfterFailures} is what pauses the job
     */
    void owns(Ownership ownership, JobState standing, boolean pausedItself);

    /** Manual runs of owned items were requested. */
    void asked();

    /** Operators may have cancelled what this instance executes. */
    void touched();

    /** This instance begins to lead. */
    void leads();

    /** This instance leads, and an instance may have died. */
    void membersChanged();

    /** Nothing new may be claimed until the next call of {@link #owns}. */
    void suspended(boolean sessionLost);

    /** This instance no longer takes part in the job. */
    void ended(String reason);
}
