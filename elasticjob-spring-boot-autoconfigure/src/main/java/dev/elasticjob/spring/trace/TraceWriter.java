package dev.elasticjob.spring.trace;

import dev.elasticjob.job.Failures;
import dev.elasticjob.spring.autoconfigure.ElasticJobProperties.Tracing;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes events from the queue and writes them, batch by batch. A batch that can't be written is kept, and tried again after
 * a growing pause, until the database is back. Runs once, on one thread, which is never interrupted: some databases inside
 * the process don't survive that.
 */
final class TraceWriter implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(EventTrace.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final long IDLE_SECONDS = 60;

    private final BlockingQueue<TracedEvent> queue;
    private final TraceCounts counts;
    private final TraceStore store;
    private final TraceRetention retention;
    private final int batchSize;
    private final Duration flushInterval;

    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CountDownLatch givenUp = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    /** Confined to the thread that runs this. */
    private @Nullable Throwable outage;

    TraceWriter(
            BlockingQueue<TracedEvent> queue,
            TraceCounts counts,
            TraceStore store,
            TraceRetention retention,
            Tracing properties) {
        this.queue = queue;
        this.counts = counts;
        this.store = store;
        this.retention = retention;
        this.batchSize = properties.batchSize();
        this.flushInterval = properties.flushInterval();
    }

    @Override
    public void run() {
        try {
            while (!isOver(givenUp)) {
                List<TracedEvent> batch = next();
                if (!batch.isEmpty()) {
                    write(batch);
                } else if (isOver(stopping)) {
                    break;
                }
                if (!isOver(stopping)) {
                    retention.deleteIfDue();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended.countDown();
        }
    }

    /** Writes what is left, for as long as the limit allows. What is not written by then is counted as dropped. */
    void stop(Duration limit) {
        stopping.countDown();
        queue.offer(TracedEvent.WAKE_UP);
        try {
            if (!ended.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn("The event trace could not be written within {} of the stop", DurationText.of(limit));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        givenUp.countDown();
        List<TracedEvent> left = new ArrayList<>();
        queue.drainTo(left);
        left.remove(TracedEvent.WAKE_UP);
        counts.add(left.size());
        reportDropped();
    }

    /** Empty if there is nothing to do: when it is time to look around, or to stop. */
    private List<TracedEvent> next() throws InterruptedException {
        List<TracedEvent> batch = new ArrayList<>();
        TracedEvent first = isOver(stopping) ? queue.poll() : queue.poll(IDLE_SECONDS, TimeUnit.SECONDS);
        if (first != null) {
            batch.add(first);
            if (queue.size() < batchSize) {
                await(stopping, flushInterval);
            }
            queue.drainTo(batch, batchSize - 1);
            batch.remove(TracedEvent.WAKE_UP);
        }
        return batch;
    }

    private void write(List<TracedEvent> batch) throws InterruptedException {
        counts.begin(batch);
        try {
            writeOrGiveUp(batch);
        } finally {
            counts.end();
        }
    }

    private void writeOrGiveUp(List<TracedEvent> batch) throws InterruptedException {
        TraceRows rows = TraceRows.of(batch);
        Duration pause = FIRST_PAUSE;
        while (!isOver(givenUp)) {
            try {
                counts.add(store.write(rows));
                recovered();
                return;
            } catch (RuntimeException e) {
                failed(e);
            }
            await(isOver(stopping) ? givenUp : stopping, isOver(stopping) ? FIRST_PAUSE : pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
        }
        counts.add(batch.size());
        reportDropped();
    }

    private void failed(RuntimeException failure) {
        counts.failed();
        if (outage == null) {
            log.warn(
                    "The event trace can't be written at present; the write is repeated. {} events wait. When the buffer"
                            + " is full, further ones are dropped. Jobs are not affected. {}",
                    queue.size(),
                    Failures.text(failure));
        }
        outage = failure;
    }

    private void recovered() {
        if (outage != null) {
            outage = null;
            log.info("The event trace is written again");
        }
        if (queue.remainingCapacity() > 0) {
            reportDropped();
        }
    }

    private void reportDropped() {
        long events = counts.sinceLastReport();
        if (events > 0) {
            log.warn("{} events were not recorded in the event trace. Jobs are not affected", events);
        }
    }

    private static boolean isOver(CountDownLatch latch) {
        return latch.getCount() == 0;
    }

    /** Waits, but not beyond an event. */
    @SuppressWarnings("ReturnValueIgnored")
    private static void await(CountDownLatch event, Duration atMost) throws InterruptedException {
        boolean happened = event.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
        if (happened) {
            log.trace("The event trace is being stopped");
        }
    }
}
