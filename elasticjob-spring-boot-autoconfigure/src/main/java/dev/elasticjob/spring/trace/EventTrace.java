package dev.elasticjob.spring.trace;

import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.spring.autoconfigure.DroppedEvents;
import dev.elasticjob.spring.autoconfigure.ElasticJobProperties.Tracing;
import dev.elasticjob.spring.autoconfigure.WaitingWrites;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Receives the events of jobs, and has them written to the database. An event waits in a bounded queue; while the queue is
 * full, events are dropped and counted. No job ever waits for the database.
 *
 * <p>Events are received on any thread; one thread of the trace writes them, from start to stop. It is stopped after the
 * engine, and then writes what is left for as long as the settings allow. It can be started again.
 */
public final class EventTrace implements JobEventListener, SmartLifecycle, DroppedEvents, WaitingWrites {
    private static final Logger log = LoggerFactory.getLogger(EventTrace.class);
    /** Starts before the engine, which starts last, and stops after it. */
    private static final int PHASE = DEFAULT_PHASE - 512;

    private final Predicate<String> traced;
    private final BlockingQueue<TracedEvent> queue;
    private final TraceCounts counts = new TraceCounts();
    private final Writing writing;
    private final Executor threads;
    private final Clock clock;
    private final Duration shutdownTimeout;

    /** Guarded by this object's monitor: the context calls from the thread that starts it and the one that closes it. */
    private @Nullable TraceWriter writer;

    /** What makes the writer of one run. */
    @FunctionalInterface
    interface Writing {
        TraceWriter from(BlockingQueue<TracedEvent> queue, TraceCounts counts);
    }

    /** @param threads gives each task a thread of its own */
    EventTrace(Tracing properties, Writing writing, Executor threads, Clock clock) {
        this.traced = properties::traces;
        // A value below 1 fails startup, in one report with all other problems.
        this.queue = new LinkedBlockingQueue<>(Math.max(1, properties.bufferSize()));
        this.writing = writing;
        this.threads = threads;
        this.clock = clock;
        this.shutdownTimeout = properties.shutdownTimeout();
    }

    @Override
    public void onEvent(JobEvent event) {
        // What somebody did to a job is recorded whether or not its executions are.
        if (!TracedEvent.isTraced(event) || !(event instanceof JobEvent.CommandEnded || traced.test(event.jobName()))) {
            return;
        }
        if (!queue.offer(new TracedEvent(event, clock.instant())) && counts.addFirst()) {
            log.warn(
                    "The event trace drops events: {} wait for the database already, which is the most that"
                            + " \"elasticjob.tracing.buffer-size\" allows. Jobs are not affected",
                    queue.size());
        }
    }

    @Override
    public String consumer() {
        return "trace";
    }

    @Override
    public long dropped() {
        return counts.total();
    }

    @Override
    public long waiting() {
        return (long) queue.size() + counts.writing();
    }

    @Override
    public Duration delay() {
        Optional<Instant> oldest = counts.oldest()
                .or(() -> Optional.ofNullable(queue.peek())
                        .filter(event -> !event.equals(TracedEvent.WAKE_UP))
                        .map(TracedEvent::at));
        Duration delay =
                oldest.map(since -> Duration.between(since, clock.instant())).orElse(Duration.ZERO);
        return delay.isNegative() ? Duration.ZERO : delay;
    }

    @Override
    public long failures() {
        return counts.failures();
    }

    @Override
    public synchronized void start() {
        if (writer == null) {
            TraceWriter next = writing.from(queue, counts);
            threads.execute(next);
            writer = next;
        }
    }

    @Override
    public synchronized void stop() {
        TraceWriter present = writer;
        if (present != null) {
            writer = null;
            present.stop(shutdownTimeout);
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return writer != null;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
