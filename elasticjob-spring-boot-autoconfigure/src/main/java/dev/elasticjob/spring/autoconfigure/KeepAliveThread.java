package dev.elasticjob.spring.autoconfigure;

import java.util.concurrent.CountDownLatch;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Keeps the process alive while it has jobs: all of the engine's and the registry's own threads are daemons, so that an
 * application without a web server would end right after its start. Does nothing but wait.
 */
final class KeepAliveThread implements AutoCloseable {
    private final CountDownLatch closed = new CountDownLatch(1);

    void start() {
        var threads = new SimpleAsyncTaskExecutor("elasticjob-keep-alive-");
        threads.setDaemon(false);
        threads.execute(this::await);
    }

    @Override
    public void close() {
        closed.countDown();
    }

    private void await() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
