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
 * The threads and timers of one instance, and its voice: after its death nothing of it goes on but user code that
 * ignores its interruption, and nobody hears of that. Safe for use by any thread.
 */
final class Life {
    private static final int MOST_TRIES = 100;
    private static final Duration SHORT_REST = Duration.ofMillis(100);

    private final Threads threads;
    private final Activity coordination;
    private final Activity items;
    private final TaskTimer timer;
    private final Set<Work> running = ConcurrentHashMap.newKeySet();
    private volatile boolean over;

    /** @param items counts those of this instance that run */
    Life(Threads threads, Activity coordination, Activity items, TaskTimer timer) {
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

            /** As time passes for all: an instance by itself doesn't stand still. */
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
     * From now on nothing new happens here; what was told before has been heard. An item that was told to have ended has its
     * end in the registry too, or it would run once more: so this comes when coordination rests, if it does.
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

    /** Interrupts what user code does. */
    void interruptItems() {
        running.forEach(Work::interrupt);
    }

    /** The same, and nobody waits for it any more. */
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

    static void counted(Activity activity, Executor executor, Runnable task) {
        activity.begins();
        executor.execute(() -> {
            try {
                task.run();
            } finally {
                activity.ends();
            }
        });
    }

    /** What a worker does: counted until it ends or is given up. */
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
