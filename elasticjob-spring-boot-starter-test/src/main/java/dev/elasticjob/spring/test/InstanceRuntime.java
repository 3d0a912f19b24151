package dev.elasticjob.spring.test;

import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.time.PauseDetector;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The threads, timers and events of one instance. After its end, only code that ignores its interruption continues, and
 * its events are discarded. Thread-safe.
 */
final class InstanceRuntime {
    private static final int MOST_TRIES = 100;
    private static final Duration SHORT_REST = Duration.ofMillis(100);

    private final Threads threads;
    private final RunningTasks coordination;
    private final RunningTasks items;
    private final TaskTimer timer;
    private final Set<Work> running = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

    /** @param items counts the running items of this instance */
    InstanceRuntime(Threads threads, RunningTasks coordination, RunningTasks items, TaskTimer timer) {
        this.threads = threads;
        this.coordination = coordination;
        this.items = items;
        this.timer = timer;
    }

    Executor coordination() {
        return task -> counted(coordination, threads.coordination(), whileAlive(task));
    }

    Executor workers() {
        return task -> {
            Work work = new Work(task);
            running.add(work);
            items.begins();
            threads.workers().execute(work);
        };
    }

    TaskTimer timer() {
        return new TaskTimer() {
            @Override
            public Cancellable after(Duration delay, Runnable task) {
                return timer.after(delay, whileAlive(task));
            }

            @Override
            public long nanoTime() {
                return timer.nanoTime();
            }

            /** Time passes for all instances alike, so none is ever paused alone. */
            @Override
            public PauseDetector detectPauses(Duration unnoticed) {
                return timer.detectPauses(unnoticed);
            }
        };
    }

    JobEventListener heardBy(JobEventListener listener) {
        return event -> {
            if (!over) {
                listener.onEvent(event);
            }
        };
    }

    /**
     * Ends the instance: from now on, it does and reports nothing new. A reported end of an item must be in the
     * registry too, or the item would run once more, so this is called when coordination is at rest, if possible.
     */
    void end() {
        for (int tries = 1; !over; tries++) {
            boolean anyway = tries == MOST_TRIES || Threads.areCoordinating();
            if (!anyway) {
                coordination.awaitRest(SHORT_REST);
            }
            threads.betweenSteps(() -> over = anyway || coordination.rests());
        }
    }

    void interruptItems() {
        running.forEach(Work::interrupt);
    }

    /** Interrupts the items, and stops waiting for them. */
    void giveUpItems() {
        running.forEach(Work::interrupt);
        running.forEach(Work::done);
    }

    private Runnable whileAlive(Runnable task) {
        return () -> {
            if (!over) {
                task.run();
            }
        };
    }

    static void counted(RunningTasks activity, Executor executor, Runnable task) {
        activity.begins();
        executor.execute(() -> {
            try {
                task.run();
            } finally {
                activity.ends();
            }
        });
    }

    /** A task of a worker, counted until it ends or is given up. */
    private final class Work implements Runnable {
        private final Runnable task;
        private final AtomicBoolean counted = new AtomicBoolean(true);
        private @Nullable Thread thread;

        Work(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            try {
                if (begins()) {
                    task.run();
                }
            } finally {
                returned();
                done();
            }
        }

        private synchronized boolean begins() {
            thread = Thread.currentThread();
            return !over;
        }

        private synchronized void returned() {
            thread = null;
            Thread.interrupted();
        }

        synchronized void interrupt() {
            if (thread != null) {
                thread.interrupt();
            }
        }

        private void done() {
            running.remove(this);
            if (counted.getAndSet(false)) {
                items.ends();
            }
        }
    }
}
