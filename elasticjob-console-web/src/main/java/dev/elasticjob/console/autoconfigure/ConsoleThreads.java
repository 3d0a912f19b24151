package dev.elasticjob.console.autoconfigure;

import dev.elasticjob.time.SystemTaskTimer;
import dev.elasticjob.time.TaskTimer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The console's own threads, so that it takes none of the host's. Each registry has its own, so that one that doesn't answer
 * delays no other. They end when nobody has looked for a while.
 */
final class ConsoleThreads implements AutoCloseable {
    private static final int THREADS = 2;
    private static final int QUEUE = 1_000;
    private static final long IDLE_SECONDS = 30;

    private final SystemTaskTimer timer = new SystemTaskTimer("elasticjob-console-timer");
    private final AtomicInteger number = new AtomicInteger();
    private final List<ThreadPoolExecutor> executors = new CopyOnWriteArrayList<>();

    private Thread thread(Runnable task) {
        Thread thread = new Thread(task, "elasticjob-console-" + number.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    TaskTimer timer() {
        return timer;
    }

    /** Those of one more registry. */
    Executor forOneRegistry() {
        var executor = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUE), this::thread);
        executor.allowCoreThreadTimeOut(true);
        executors.add(executor);
        return executor;
    }

    /** Those that wait for the database of one more history. */
    Executor forOneHistory() {
        return forOneRegistry();
    }

    @Override
    public void close() {
        executors.forEach(ThreadPoolExecutor::shutdownNow);
        timer.close();
    }
}
