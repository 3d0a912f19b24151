package dev.elasticjob.execution.pool;

import dev.elasticjob.job.Failures;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An executor of the user's, on which a job's items run. It is never shut down from here.
 *
 * <p>It may make its caller wait until it has room, or do the work on the caller's thread. So all work is handed over by
 * one thread, which does nothing else, and which ends when there is nothing left to hand over.
 *
 * <p>Safe for use by any thread.
 */
final class OwnExecutor {
    private static final Logger log = LoggerFactory.getLogger(OwnExecutor.class);

    private final String name;
    private final Executor executor;
    private final Executor threads;
    private final Runnable allHanded;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Work> waiting = new ArrayDeque<>();
    private boolean handing;

    /**
     * @param threads gives the handing over a thread at once
     * @param allHanded called on that thread when nothing is left to hand over
     */
    OwnExecutor(String name, Executor executor, Executor threads, Runnable allHanded) {
        this.name = name;
        this.executor = executor;
        this.threads = threads;
        this.allHanded = allHanded;
    }

    /** What is handed over: it is run once, or refused once. */
    interface Work extends Runnable {
        void refused(RejectedExecutionException reason);
    }

    void execute(Work work) {
        lock.lock();
        try {
            waiting.addLast(work);
            if (handing) {
                return;
            }
            handing = true;
        } finally {
            lock.unlock();
        }
        try {
            threads.execute(this::handOver);
        } catch (Throwable e) {
            refuseAll(new RejectedExecutionException(
                    "No thread is available to call the executor \"" + name + "\"", Failures.printable(e)));
        }
    }

    /** Takes back what has not been handed over; false when it has been. */
    boolean forget(Work work) {
        lock.lock();
        try {
            return waiting.removeFirstOccurrence(work);
        } finally {
            lock.unlock();
        }
    }

    /** Whether something waits to be handed over, or the executor makes its caller wait just now. */
    boolean isHanding() {
        lock.lock();
        try {
            return handing;
        } finally {
            lock.unlock();
        }
    }

    private void handOver() {
        for (Work next = next(); next != null; next = next()) {
            hand(next);
        }
        allHanded.run();
    }

    private @Nullable Work next() {
        lock.lock();
        try {
            handing = !waiting.isEmpty();
            return waiting.pollFirst();
        } finally {
            lock.unlock();
        }
    }

    private void refuseAll(RejectedExecutionException reason) {
        for (Work next = next(); next != null; next = next()) {
            next.refused(reason);
        }
    }

    private void hand(Work work) {
        AtomicBoolean decided = new AtomicBoolean();
        try {
            executor.execute(() -> {
                if (decided.compareAndSet(false, true)) {
                    work.run();
                }
            });
        } catch (Throwable e) {
            if (decided.compareAndSet(false, true)) {
                work.refused(new RejectedExecutionException(
                        "The executor \"%s\" rejected the task".formatted(name), Failures.printable(e)));
            } else {
                log.error("The executor \"{}\" failed after it had started a task", name, Failures.printable(e));
            }
        }
    }
}
