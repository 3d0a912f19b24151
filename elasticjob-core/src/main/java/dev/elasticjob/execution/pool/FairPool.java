package dev.elasticjob.execution.pool;

import dev.elasticjob.coordination.session.Capacity;
import dev.elasticjob.job.Failures;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds how many items run at a time, and takes turns between jobs: when a thread is free, it goes to the job that
 * has waited longest for one, so that a job with many or slow items can't starve another.
 *
 * <p>Safe for use by any thread.
 */
public final class FairPool implements Capacity {
    private static final Logger log = LoggerFactory.getLogger(FairPool.class);

    private final Executor workers;
    private final int maxThreads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Deque<Runnable>> waiting = new LinkedHashMap<>();
    private final List<Runnable> wantingSlot = new ArrayList<>();
    private int busy;

    /** @param workers gives each task a thread at once; there are never more than {@code maxThreads} */
    public FairPool(Executor workers, int maxThreads) {
        if (maxThreads < 1) {
            throw new IllegalArgumentException("\"maxThreads\" must be at least 1, but is " + maxThreads);
        }
        this.workers = workers;
        this.maxThreads = maxThreads;
    }

    /**
     * Runs the task as soon as a thread is free and it is the job's turn.
     *
     * @throws RejectedExecutionException when there is no thread for it; it won't run then
     */
    public void execute(String job, Runnable task) {
        lock.lock();
        try {
            waiting.computeIfAbsent(job, any -> new ArrayDeque<>()).addLast(task);
            if (busy == maxThreads) {
                return;
            }
            busy++;
        } finally {
            lock.unlock();
        }
        try {
            workers.execute(this::work);
        } catch (Throwable e) {
            if (withdraw(job, task)) {
                throw new RejectedExecutionException(
                        "No thread is available for an item of job \"" + job + "\"", Failures.printable(e));
            }
        }
    }

    /** Runs at once, on a thread that doesn't count, what does no work but waits for somebody else's thread. */
    void executeBeside(Runnable task) {
        workers.execute(task);
    }

    /** Takes back a task that waits for its turn; false when it doesn't, or not any more. */
    boolean forget(String job, Runnable task) {
        lock.lock();
        try {
            return remove(job, task);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int free() {
        lock.lock();
        try {
            return waiting.isEmpty() ? maxThreads - busy : 0;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void whenFree(Runnable once) {
        lock.lock();
        try {
            if (!waiting.isEmpty() || busy == maxThreads) {
                wantingSlot.add(once);
                return;
            }
        } finally {
            lock.unlock();
        }
        once.run();
    }

    private void tellFree() {
        List<Runnable> told;
        lock.lock();
        try {
            told = List.copyOf(wantingSlot);
            wantingSlot.clear();
        } finally {
            lock.unlock();
        }
        told.forEach(FairPool::run);
    }

    /** Gives back the thread that was counted on; true when the task is still waiting, and now isn't any more. */
    private boolean withdraw(String job, Runnable task) {
        lock.lock();
        try {
            busy--;
            return remove(job, task);
        } finally {
            lock.unlock();
        }
    }

    private boolean remove(String job, Runnable task) {
        Deque<Runnable> tasks = waiting.getOrDefault(job, new ArrayDeque<>());
        boolean removed = tasks.removeFirstOccurrence(task);
        if (tasks.isEmpty()) {
            waiting.remove(job);
        }
        return removed;
    }

    /** One thread's work: a task, then the next one whose turn it is. */
    private void work() {
        for (Optional<Runnable> task = next(); task.isPresent(); task = next()) {
            run(task.get());
        }
        tellFree();
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            log.error("A task failed; its thread continues with the next one", Failures.printable(e));
        }
    }

    /** The first task of the job that waits longest; the job goes to the end of the queue. */
    private Optional<Runnable> next() {
        lock.lock();
        try {
            var turn = waiting.entrySet().iterator();
            if (!turn.hasNext()) {
                busy--;
                return Optional.empty();
            }
            Map.Entry<String, Deque<Runnable>> first = turn.next();
            String job = first.getKey();
            Deque<Runnable> tasks = first.getValue();
            turn.remove();
            Runnable task = tasks.removeFirst();
            if (!tasks.isEmpty()) {
                waiting.put(job, tasks);
            }
            return Optional.of(task);
        } finally {
            lock.unlock();
        }
    }
}
