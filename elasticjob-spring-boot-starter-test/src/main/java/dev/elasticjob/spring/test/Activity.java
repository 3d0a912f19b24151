package dev.elasticjob.spring.test;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Counts what is being done, and wakes who waits for the moment when nothing is. Safe for use by any thread. */
final class Activity {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition rest = lock.newCondition();
    private final Optional<Activity> whole;
    private int tasks;

    Activity() {
        this.whole = Optional.empty();
    }

    private Activity(Activity whole) {
        this.whole = Optional.of(whole);
    }

    /** A part of it, with a rest of its own. */
    Activity part() {
        return new Activity(this);
    }

    void begins() {
        whole.ifPresent(Activity::begins);
        lock.lock();
        try {
            tasks++;
        } finally {
            lock.unlock();
        }
    }

    /** What it gave rise to has begun before. */
    void ends() {
        lock.lock();
        try {
            tasks--;
            if (tasks == 0) {
                rest.signalAll();
            }
        } finally {
            lock.unlock();
        }
        whole.ifPresent(Activity::ends);
    }

    boolean rests() {
        lock.lock();
        try {
            return tasks == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until nothing is done any more; false when that takes longer. */
    boolean awaitRest(Duration patience) {
        lock.lock();
        try {
            long left = patience.toNanos();
            while (tasks > 0) {
                if (left <= 0) {
                    return false;
                }
                left = rest.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }
}
