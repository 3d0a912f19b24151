package dev.elasticjob.execution;

import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.job.ItemCancelledException;
import dev.elasticjob.job.ItemTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What has interrupted an execution: its instance, the timeout of the present attempt, or an operator. Guarded by the
 * execution's monitor.
 */
final class Interruption {
    private final Duration timeout;
    private boolean byInstance;
    private boolean timedOut;
    private @Nullable String cancelled;

    Interruption(Duration timeout) {
        this.timeout = timeout;
    }

    /** Returns false if the instance has interrupted it before. */
    boolean byInstance() {
        boolean first = !byInstance;
        byInstance = true;
        return first;
    }

    boolean isByInstance() {
        return byInstance;
    }

    void timedOut() {
        timedOut = true;
    }

    boolean isTimedOut() {
        return timedOut;
    }

    /** Returns false if it was cancelled before. */
    boolean cancelled(String reason) {
        boolean first = cancelled == null;
        cancelled = first ? reason : cancelled;
        return first;
    }

    /** Another attempt begins. */
    void again() {
        timedOut = false;
    }

    /** Whether another attempt may begin. */
    boolean letsBegin() {
        return !byInstance && cancelled == null;
    }

    /** Whether the thread may have been interrupted. */
    boolean isAny() {
        return byInstance || timedOut || cancelled != null;
    }

    /** Whether a failed attempt is the last one. */
    boolean endsIt() {
        return cancelled != null || (byInstance && !timedOut);
    }

    /** The end of an execution that is not tried again here. What was cancelled is not repeated elsewhere either. */
    ItemState end() {
        return cancelled != null ? ItemState.FAILED : ItemState.INTERRUPTED;
    }

    /** The failure of an attempt; null if it has completed. */
    @Nullable
    Throwable failure(@Nullable Throwable thrown) {
        if (cancelled != null) {
            return new ItemCancelledException(cancelled, thrown);
        }
        return timedOut ? new ItemTimeoutException(timeout, thrown) : thrown;
    }
}
