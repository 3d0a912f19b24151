package dev.elasticjob.time;

import java.time.Duration;

/**
 * Runs tasks later, and measures monotonic time. Nothing else in the project sleeps, polls or parks a thread.
 *
 * <p>Thread-safe. A task runs on a thread of the timer and must be short; submit longer work to another executor.
 */
public interface TaskTimer {
    /**
     * Runs the task once, after the delay at the earliest; a delay of zero or less means as soon as possible. A closed
     * timer runs nothing.
     */
    Cancellable after(Duration delay, Runnable task);

    /** Monotonic nanoseconds; only differences are meaningful. Unlike a clock, it is never set. */
    long nanoTime();

    /**
     * Starts to detect pauses of this process, until the detector is closed.
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
        /** Has no effect if the task has run or was already cancelled. */
        void cancel();
    }
}
