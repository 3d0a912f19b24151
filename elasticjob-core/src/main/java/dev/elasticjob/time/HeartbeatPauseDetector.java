package dev.elasticjob.time;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * Records the times of regular beats. If two beats are further apart than the interval, the process counts as having
 * run for one interval, and as paused for the rest. So a pause of up to one interval goes unnoticed.
 */
final class HeartbeatPauseDetector implements PauseDetector {
    /** Before the recorded beats, the process counts as running. */
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
