package dev.elasticjob.time;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * Keeps the times of regular beats. Where two beats are further apart than the interval, the process is taken to have run
 * for one interval, and then to have been paused. So a pause goes unnoticed for at most one interval.
 */
final class HeartbeatPauseDetector implements PauseDetector {
    /** Before the beats that are kept, the process counts as running. */
    private static final int MAX_BEATS = 256;

    private final TaskTimer timer;
    private final Duration interval;
    private final Deque<Long> beats = new ArrayDeque<>();
    private TaskTimer.Cancellable next = () -> {};
    private boolean closed;

    HeartbeatPauseDetector(TaskTimer timer, Duration interval) {
        this.timer = timer;
        this.interval = interval;
    }

    /** Starts to beat. */
    synchronized void beat() {
        if (!closed) {
            beats.addLast(timer.nanoTime());
            if (beats.size() > MAX_BEATS) {
                beats.removeFirst();
            }
            next = timer.after(interval, this::beat);
        }
    }

    @Override
    public synchronized long awakeSince(long moment, Duration awake) {
        long until = moment;
        long missing = awake.toNanos();
        Iterator<Long> newestFirst = beats.descendingIterator();
        while (newestFirst.hasNext()) {
            long beat = newestFirst.next();
            long behindIt = Math.min(until - beat, interval.toNanos());
            if (behindIt >= missing) {
                return beat + behindIt - missing;
            }
            if (behindIt > 0) {
                missing -= behindIt;
                until = beat;
            }
        }
        return until - missing;
    }

    @Override
    public synchronized void close() {
        closed = true;
        next.cancel();
    }
}
