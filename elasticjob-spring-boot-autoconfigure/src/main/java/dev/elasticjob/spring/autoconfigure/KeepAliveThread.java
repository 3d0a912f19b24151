package dev.elasticjob.spring.autoconfigure;

import java.util.concurrent.CountDownLatch;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Keeps the process alive while it has jobs. All threads of the engine and the registry are daemons, so an application
 * without a web server would otherwise end right after its start.
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
