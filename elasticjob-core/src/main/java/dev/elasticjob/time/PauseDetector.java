package dev.elasticjob.time;

import java.time.Duration;

/**
 * Measures how long this process has been running, without pauses of the whole process: by a signal, a long garbage
 * collection, or a paused virtual machine. Thread-safe.
 */
public interface PauseDetector extends AutoCloseable {
    /**
     * The time since which this process has run for a duration in total: the duration before the given moment, or
     * earlier if the process was paused in between. Before this detector started, the process counts as running.
     *
     * @param moment not in the future, in the nanoseconds of {@link TaskTimer#nanoTime()}, as is the result
     */
    long awakeSince(long moment, Duration awake);

    /** Stops watching. */
    @Override
    void close();
}
