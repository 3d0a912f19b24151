package dev.elasticjob.job.event;

import dev.elasticjob.job.ItemCancelledException;
import dev.elasticjob.job.ItemTimeoutException;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/** How an execution of an item ended on its instance. */
public enum ExecutionOutcome {
    /** The job returned normally. */
    COMPLETED,
    /** The job, or a listener before it, threw an exception, and no retry follows. */
    FAILED,
    /** The last attempt took longer than the job's {@code timeout}. */
    TIMEOUT,
    /** Interrupted, or prevented from its next attempt, by a lost session or the end of the process. */
    INTERRUPTED,
    /**
     * An operator cancelled it, or the job gave up with a {@link CancellationException}. It counts as failed in the item's
     * record.
     */
    CANCELLED;

    /** The outcome of an execution that was not interrupted from outside. */
    public static ExecutionOutcome of(Optional<Throwable> failure) {
        return failure.map(ExecutionOutcome::of).orElse(COMPLETED);
    }

    private static ExecutionOutcome of(Throwable failure) {
        if (failure instanceof ItemTimeoutException) {
            return TIMEOUT;
        }
        boolean cancelled = failure instanceof ItemCancelledException || failure instanceof CancellationException;
        return cancelled ? CANCELLED : FAILED;
    }
}
