package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.job.Failures;
import dev.elasticjob.registry.curator.RegistryUnreachableException;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Connects to the registry in the background, with growing pauses between the attempts, until it succeeds or is closed.
 * Used once. Safe for use by any thread.
 */
final class BackgroundConnection implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(BackgroundConnection.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final Runnable connect;
    private final Runnable connected;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final FutureTask<Void> attempts = new FutureTask<>(this::attempt, null);
    // Written by the thread that connects.
    private volatile String reason = "the first attempt to connect to the registry is running";

    /**
     * @param connect one attempt, which waits for the connection; throws if there is none in time
     * @param connected is called once, after the attempt that succeeded
     */
    BackgroundConnection(Runnable connect, Runnable connected) {
        this.connect = connect;
        this.connected = connected;
    }

    void start() {
        var threads = new SimpleAsyncTaskExecutor("elasticjob-connect-");
        threads.setDaemon(true);
        threads.execute(attempts);
    }

    /** Why there is no connection, for people. */
    String reason() {
        return reason;
    }

    /** Ends the attempts, also a running one. Doesn't wait for that. */
    @Override
    public void close() {
        closed.countDown();
        attempts.cancel(true);
    }

    private void attempt() {
        Duration pause = FIRST_PAUSE;
        for (int number = 1; closed.getCount() > 0; number++) {
            try {
                connect.run();
                log.info("Connected to the registry at attempt {}: the jobs start", number);
                connected.run();
                return;
            } catch (RuntimeException e) {
                if (closed.getCount() > 0) {
                    failed(e, number, pause);
                }
            }
            if (isClosedWithin(pause)) {
                return;
            }
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    private void failed(RuntimeException failure, int number, Duration pause) {
        String before = reason;
        reason = Failures.text(failure);
        String message = "Attempt {} to connect to the registry failed: {} The jobs don't run on this instance until it"
                + " succeeds; the next attempt follows in {}";
        if (failure instanceof RegistryUnreachableException) {
            log.warn(message, number, reason, DurationText.of(pause));
        } else if (reason.equals(before)) {
            log.error(message, number, reason, DurationText.of(pause));
        } else {
            log.error(message, number, reason, DurationText.of(pause), failure);
        }
    }

    private boolean isClosedWithin(Duration pause) {
        try {
            return closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
