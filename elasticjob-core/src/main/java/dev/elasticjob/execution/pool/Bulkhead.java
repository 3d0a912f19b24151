package dev.elasticjob.execution.pool;

import dev.elasticjob.coordination.session.Capacity;
import dev.elasticjob.definition.JobDefinition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One job's way to its threads: those of the shared pool, or of the executor that the job names. No more of its items run
 * at a time than its {@code concurrency}; the others wait here and not in the pool, where they would take the turns of
 * other jobs.
 *
 * <p>Safe for use by any thread.
 */
public final class Bulkhead implements Capacity {
    private static final Logger log = LoggerFactory.getLogger(Bulkhead.class);

    private final String job;
    private final FairPool pool;
    private final Named<Executor> executors;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Task> waiting = new ArrayDeque<>();
    private final List<Runnable> wantingSlot = new ArrayList<>();
    private String ownName = "";
    private @Nullable OwnExecutor own;
    private int bound;
    private int running;

    /** @param executors which the job may name instead of the pool */
    public Bulkhead(String job, FairPool pool, Named<Executor> executors) {
        this.job = job;
        this.pool = pool;
        this.executors = executors;
    }

    /** What needs a thread for a while. */
    public interface Task {
        void run();

        /** There is no thread for it; it won't run. */
        void refused(RejectedExecutionException reason);
    }

    /** The definition in force says how many run at a time, and where, from now on. */
    public void follow(JobDefinition definition) {
        String name = definition.executorServiceHandler();
        lock.lock();
        try {
            bound = definition.concurrency();
            if (!name.equals(ownName)) {
                ownName = name;
                own = name.isEmpty() ? null : find(name);
            }
        } finally {
            lock.unlock();
        }
        startNext();
        tellFree();
    }

    /** Settings are checked at the start: what isn't found was set in the registry. */
    private @Nullable OwnExecutor find(String name) {
        Executor found = executors.find(name).orElse(null);
        if (found == null) {
            log.error(
                    "Job \"{}\": its settings in the registry name the executor \"{}\", which this instance doesn't"
                            + " have, so its items run on the shared threads. Available: {}",
                    job,
                    name,
                    executors.names());
            return null;
        }
        return new OwnExecutor(name, found, pool::executeBeside, this::ownHasRoom);
    }

    /** Runs the task as soon as the bound and the threads allow. */
    public void execute(Task task) {
        lock.lock();
        try {
            waiting.addLast(task);
        } finally {
            lock.unlock();
        }
        startNext();
    }

    /** Gives up the turn of a task that needs none any more, where it still waits for one here. */
    public void forget(Task task) {
        if (!stopsWaiting(task)) {
            takeBack(new Beside(task));
            return;
        }
        startNext();
        tellFree();
    }

    private boolean takeBack(OwnExecutor.Work work) {
        OwnExecutor executor = own;
        return pool.forget(job, work) || (executor != null && executor.forget(work));
    }

    private boolean stopsWaiting(Task task) {
        lock.lock();
        try {
            if (waiting.removeFirstOccurrence(task)) {
                return true;
            }
            boolean handed = takeBack(new Turn(this, task));
            if (handed) {
                running--;
            }
            return handed;
        } finally {
            lock.unlock();
        }
    }

    /** Runs what is no item, beside the bound. */
    public void executeBeside(Task task) {
        hand(new Beside(task));
    }

    private void startNext() {
        for (Task next = next(); next != null; next = next()) {
            hand(new Turn(this, next));
        }
    }

    private @Nullable Task next() {
        lock.lock();
        try {
            if (waiting.isEmpty() || !hasRoom()) {
                return null;
            }
            running++;
            return waiting.removeFirst();
        } finally {
            lock.unlock();
        }
    }

    /** Never waits, whoever calls: it may be the coordination's thread. */
    private void hand(OwnExecutor.Work work) {
        OwnExecutor executor;
        lock.lock();
        try {
            executor = own;
        } finally {
            lock.unlock();
        }
        if (executor != null) {
            executor.execute(work);
            return;
        }
        try {
            pool.execute(job, work);
        } catch (RejectedExecutionException e) {
            work.refused(e);
        }
    }

    private void ownHasRoom() {
        startNext();
        tellFree();
    }

    /** Within the bound; equal to another turn of the same task, so that the pool can find it. */
    private record Turn(Bulkhead bulkhead, Task task) implements OwnExecutor.Work {
        @Override
        public void run() {
            bulkhead.run(task);
        }

        @Override
        public void refused(RejectedExecutionException reason) {
            bulkhead.returned();
            task.refused(reason);
        }
    }

    private record Beside(Task task) implements OwnExecutor.Work {
        @Override
        public void run() {
            task.run();
        }

        @Override
        public void refused(RejectedExecutionException reason) {
            task.refused(reason);
        }
    }

    private void run(Task task) {
        try {
            task.run();
        } finally {
            returned();
            startNext();
            tellFree();
        }
    }

    private void returned() {
        lock.lock();
        try {
            running--;
        } finally {
            lock.unlock();
        }
    }

    // ------------------------------------------------------------------ room for more

    @Override
    public int free() {
        lock.lock();
        try {
            if (!waiting.isEmpty()) {
                return 0;
            }
            int here = bound == 0 ? Integer.MAX_VALUE : Math.max(0, bound - running);
            return own == null ? Math.min(here, pool.free()) : own.isHanding() ? 0 : here;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void whenFree(Runnable once) {
        boolean pooled;
        lock.lock();
        try {
            if (!wouldBeginAtOnce()) {
                wantingSlot.add(once);
                return;
            }
            pooled = own == null;
        } finally {
            lock.unlock();
        }
        if (pooled) {
            pool.whenFree(once);
        } else {
            once.run();
        }
    }

    private void tellFree() {
        List<Runnable> told;
        lock.lock();
        try {
            if (!wouldBeginAtOnce()) {
                return;
            }
            told = List.copyOf(wantingSlot);
            wantingSlot.clear();
        } finally {
            lock.unlock();
        }
        told.forEach(this::whenFree);
    }

    private boolean hasRoom() {
        return bound == 0 || running < bound;
    }

    /** Not while the job's own executor makes its caller wait. */
    private boolean wouldBeginAtOnce() {
        return waiting.isEmpty() && hasRoom() && (own == null || !own.isHanding());
    }
}
