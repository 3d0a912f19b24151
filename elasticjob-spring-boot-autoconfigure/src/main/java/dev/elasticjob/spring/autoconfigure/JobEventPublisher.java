package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.job.FailureLogs;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.time.DurationText;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * Publishes the events of jobs as events of the application, in order, on a dedicated thread. A slow listener delays
 * only other listeners: if too many events wait, further ones are dropped and counted.
 *
 * <p>At the end of the application, it publishes the engine's last events, for up to 5 s.
 */
final class JobEventPublisher implements JobEventListener, SmartLifecycle, DroppedEvents {
    private static final Logger log = LoggerFactory.getLogger(JobEventPublisher.class);
    private static final Duration END = Duration.ofSeconds(5);

    private final ApplicationEventPublisher events;
    private final int capacity;
    private final FailureLogs failures;
    private final AtomicLong dropped = new AtomicLong();
    private volatile @Nullable ThreadPoolExecutor thread;

    /**
     * @param capacity is checked before the first start
     * @param timer tells how long ago a failure was logged in full
     */
    JobEventPublisher(ApplicationEventPublisher events, int capacity, TaskTimer timer) {
        this.events = events;
        this.capacity = capacity;
        this.failures = new FailureLogs(log, timer::nanoTime);
    }

    @Override
    public void onEvent(JobEvent event) {
        ThreadPoolExecutor present = thread;
        if (present == null) {
            drop();
        } else {
            present.execute(() -> publish(event));
        }
    }

    private void publish(JobEvent event) {
        try {
            events.publishEvent(event);
        } catch (Throwable e) {
            failures.of(event.jobName())
                    .error(
                            "Job \"%s\": a listener of the application's events failed to handle %s; the job is not affected"
                                    .formatted(event.jobName(), event.getClass().getSimpleName()),
                            e);
        }
    }

    private void drop() {
        if (dropped.getAndIncrement() == 0) {
            log.warn(
                    "Events of jobs were dropped, because {} of them are waiting for slow listeners. The jobs are not"
                            + " affected. Find the listener on the thread \"elasticjob-events-1\" and make it return"
                            + " quickly. Further drops are only counted, in the meter elasticjob.events.dropped",
                    capacity);
        }
    }

    @Override
    public String consumer() {
        return "spring";
    }

    @Override
    public long dropped() {
        return dropped.get();
    }

    @Override
    public synchronized void start() {
        if (thread == null) {
            var executor = new ThreadPoolTaskExecutor();
            executor.setThreadNamePrefix("elasticjob-events-");
            executor.setDaemon(true);
            executor.setCorePoolSize(1);
            executor.setMaxPoolSize(1);
            executor.setQueueCapacity(capacity);
            executor.setRejectedExecutionHandler((event, full) -> drop());
            executor.initialize();
            thread = executor.getThreadPoolExecutor();
        }
    }

    @Override
    public synchronized void stop() {
        ThreadPoolExecutor present = thread;
        thread = null;
        if (present == null) {
            return;
        }
        present.shutdown();
        try {
            if (!present.awaitTermination(END.toMillis(), TimeUnit.MILLISECONDS)) {
                int left = present.shutdownNow().size();
                dropped.addAndGet(left);
                log.warn(
                        "A listener of the application's events was still busy {} after the jobs had stopped and was"
                                + " interrupted; {} further events were dropped",
                        DurationText.of(END),
                        left);
            }
        } catch (InterruptedException e) {
            present.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return thread != null;
    }

    /** Starts before the engine, and stops after it. */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 1;
    }
}
