package dev.elasticjob.time;

import java.time.Duration;

/**
 * Measures for how long this process has been running, without the pauses of the whole process: by a signal, a long garbage
 * collection, or a paused virtual machine. Safe for use by any thread.
 */
public interface PauseDetector extends AutoCloseable {
    /**
     * The moment since which this process has run for a duration in total: the duration before the given moment, or earlier
     * if the process was paused in between. Before this detector started, the process counts as running.
     *
     * @param moment not in the future, in the nanoseconds of {@link TaskTimer#nanoTime()}, as is the result
     */
    long awakeSince(long moment, Duration awake);

    /** Stops watching. */
    @Override
    void close();
}
