package dev.elasticjob.time;

import java.time.Duration;

/**
 * Runs tasks later, and has the monotonic time. It is the only thing that waits: nothing else in the project sleeps, polls
 * or parks a thread.
 *
 * <p>Safe for use by any thread. A task runs on a thread of the timer and must be short; longer work belongs on an
 * executor of the caller's.
 */
public interface TaskTimer {
    /**
     * Runs the task once, no earlier than after the delay; a delay of zero or less means at the next occasion. A timer
     * that has been closed runs nothing.
     */
    Cancellable after(Duration delay, Runnable task);

    /** Monotonic nanoseconds; only differences mean anything. Unlike a clock it is never set. */
    long nanoTime();

    /**
     * Starts to watch for pauses of this process, until it is closed.
     *
     * @param unnoticed the longest pause that need not be noticed
     */
    default PauseDetector detectPauses(Duration unnoticed) {
        HeartbeatPauseDetector detector = new HeartbeatPauseDetector(this, unnoticed);
        detector.beat();
        return detector;
    }

    /** A task that has been scheduled. */
    interface Cancellable {
        /** Nothing happens when the task has run or was cancelled already. */
        void cancel();
    }
}
