package dev.elasticjob.time;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A timer on one daemon thread, shared by all jobs of an engine. */
public final class SystemTaskTimer implements TaskTimer, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SystemTaskTimer.class);

    private final ScheduledThreadPoolExecutor executor;

    public SystemTaskTimer(String threadName) {
        executor = new ScheduledThreadPoolExecutor(
                1,
                task -> {
                    Thread thread = new Thread(task, threadName);
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy());
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public Cancellable after(Duration delay, Runnable task) {
        ScheduledFuture<?> scheduled =
                executor.schedule(() -> run(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RejectedExecutionException closing) {
            log.debug("A timer's task was rejected by a closed executor", closing);
        } catch (Throwable e) {
            log.error("A timer's task failed; other tasks are not affected", e);
        }
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
