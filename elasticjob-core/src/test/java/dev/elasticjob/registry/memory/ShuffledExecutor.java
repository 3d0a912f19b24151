package dev.elasticjob.registry.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/** One thread that runs what it is given in a random order, reproducible only as far as its callers are. */
final class ShuffledExecutor implements Executor, AutoCloseable {
    private final Random random;
    private final List<Runnable> tasks = Collections.synchronizedList(new ArrayList<>());
    private final Semaphore waiting = new Semaphore(0);
    private final Thread thread = new Thread(this::run, "shuffled");
    private volatile boolean closed;

    ShuffledExecutor(long seed) {
        random = new Random(seed);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        waiting.release();
    }

    @Override
    public void close() {
        closed = true;
        waiting.release();
    }

    private void run() {
        waiting.acquireUninterruptibly();
        while (!closed) {
            tasks.remove(random.nextInt(tasks.size())).run();
            waiting.acquireUninterruptibly();
        }
    }
}
