package dev.elasticjob.time;

import java.time.Duration;

/**
 * Knows when this process was awake, and when it stood still as a whole: stopped by a signal, by a long garbage
 * collection, with its virtual machine. Safe for use by any thread.
 */
public interface PauseDetector extends AutoCloseable {
    /**
     * From when on this process has been awake for so long in all until a moment: just so long before it, unless the
     * process stood still meanwhile. What was before this pulse began counts as awake.
     *
     * @param moment not in the future, in the nanoseconds of {@link TaskTimer#nanoTime()}, as is the result
     */
    long awakeSince(long moment, Duration awake);

    /** Nothing is noticed any more. */
    @Override
    void close();
}
