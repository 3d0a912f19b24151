package dev.elasticjob.engine.process;

import dev.elasticjob.time.SystemTaskTimer;
import dev.elasticjob.time.TaskTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that an engine makes where it was given none, all of them daemons. They live until this is closed.
 *
 * <p>Not thread-safe: made by the builder, closed once by the engine.
 */
public final class OwnThreads implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OwnThreads.class);

    private final String prefix;
    private final List<Runnable> made = new ArrayList<>();

    /** @param prefix begins the name of each thread */
    public OwnThreads(String prefix) {
        this.prefix = prefix;
    }

    /** One thread that waits. */
    public TaskTimer timer() {
        SystemTaskTimer timer = new SystemTaskTimer(prefix + "timer");
        made.add(timer::close);
        return timer;
    }

    /** One thread that runs one task after the other. What comes after the end is discarded. */
    public Executor coordination() {
        return keep(new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> daemon(task, prefix + "coordination"),
                (task, closed) -> log.debug("A task was discarded, because the engine is closed")));
    }

    /** A thread for each task, which ends when it is idle. */
    public Executor workers() {
        AtomicInteger number = new AtomicInteger();
        return keep(Executors.newCachedThreadPool(task -> daemon(task, prefix + "worker-" + number.incrementAndGet())));
    }

    private Executor keep(ExecutorService executor) {
        made.add(executor::shutdown);
        return executor;
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() {
        made.forEach(Runnable::run);
    }
}
