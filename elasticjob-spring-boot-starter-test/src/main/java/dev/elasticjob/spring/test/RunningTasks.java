package dev.elasticjob.spring.test;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts running tasks, and wakes threads that wait until none runs. A task of a part also counts for the whole; both
 * counts change at the same moment. Thread-safe.
 */
final class RunningTasks {
    private final Optional<RunningTasks> whole;
    /** Shared by the whole and its parts. */
    private final ReentrantLock lock;

    /** Signalled when one of the counts has become zero. */
    private final Condition rest;

    // Guarded by the lock.
    private int tasks;

    RunningTasks() {
        this.whole = Optional.empty();
        this.lock = new ReentrantLock();
        this.rest = lock.newCondition();
    }

    private RunningTasks(RunningTasks whole) {
        this.whole = Optional.of(whole);
        this.lock = whole.lock;
        this.rest = whole.rest;
    }

    /** A part, which can be at rest while the whole is not. */
    RunningTasks part() {
        return new RunningTasks(this);
    }

    void begins() {
        lock.lock();
        try {
            count(1);
        } finally {
            lock.unlock();
        }
    }

    /** Called after {@link #begins()} of every task that this one has started. */
    void ends() {
        lock.lock();
        try {
            count(-1);
            rest.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void count(int difference) {
        tasks += difference;
        whole.ifPresent(all -> all.count(difference));
    }

    boolean rests() {
        lock.lock();
        try {
            return tasks == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no task is running. Returns false if that takes longer. */
    boolean awaitRest(Duration patience) {
        lock.lock();
        try {
            return awaitNoTask(patience);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no task of this part is running. True if tasks of other parts are running at that very moment. */
    boolean awaitRestBesideOthers(Duration patience) {
        lock.lock();
        try {
            return awaitNoTask(patience) && whole.stream().anyMatch(all -> all.tasks > 0);
        } finally {
            lock.unlock();
        }
    }

    private boolean awaitNoTask(Duration patience) {
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
        }
    }
}
