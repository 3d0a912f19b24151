package dev.elasticjob.spring.alert;

import dev.elasticjob.job.Failures;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.LoggingErrorHandler;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.time.TaskTimer;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failures as the handler "LOG" does, and sends them to people: the first of a job at once, what follows within the
 * interval as one message at its end, which has the latest failure and the number of the others.
 *
 * <p>Safe for use by any thread. Sends on the executor only. A failure to send is logged once, until a message gets through
 * again.
 */
final class AlertErrorHandler implements JobErrorHandler {
    private static final Logger log = LoggerFactory.getLogger(AlertErrorHandler.class);

    private final String name;
    private final AlertChannel channel;
    private final AlertThread thread;
    private final LoggingErrorHandler logging;
    private final Clock clock;
    private final Duration interval;

    /** Jobs of which people were told within the interval. What a job maps to never changes: it is replaced. */
    private final Map<String, Quiet> quiet = new ConcurrentHashMap<>();
    /** Confined to the executor's thread. */
    private boolean failing;

    /**
     * @param latest failure since the last message; null if there was none
     * @param suppressed number of failures since the last message
     */
    private record Quiet(@Nullable Alert latest, int suppressed) {
        static final Quiet BEGINS = new Quiet(null, 0);

        Quiet with(Alert next) {
            return new Quiet(next, suppressed + 1);
        }
    }

    /**
     * What sends, and what waits.
     *
     * @param executor runs one task at a time
     */
    record AlertThread(Executor executor, TaskTimer timer) {}

    /** @param name by which jobs select this handler */
    AlertErrorHandler(String name, AlertChannel channel, AlertThread thread, Clock clock, Duration interval) {
        this.name = name;
        this.channel = channel;
        this.thread = thread;
        this.logging = new LoggingErrorHandler(log, thread.timer());
        this.clock = clock;
        this.interval = interval;
    }

    @Override
    public void handleException(String jobName, Throwable cause) {
        logging.handleException(jobName, cause);
        tell(Alert.of(jobName, cause, clock.instant()));
    }

    @Override
    public void handleException(ShardingContext context, Throwable cause) {
        logging.handleException(context, cause);
        tell(Alert.of(context, cause, clock.instant()));
    }

    private void tell(Alert alert) {
        Quiet now =
                quiet.compute(alert.jobName(), (job, present) -> present == null ? Quiet.BEGINS : present.with(alert));
        if (now.latest() == null) {
            send(alert);
            waitInterval(alert.jobName());
        }
    }

    private void waitInterval(String jobName) {
        thread.timer().after(interval, () -> endOfInterval(jobName));
    }

    private void endOfInterval(String jobName) {
        Quiet ended = quiet.remove(jobName);
        if (ended != null && ended.latest() != null) {
            quiet.putIfAbsent(jobName, Quiet.BEGINS);
            send(ended.latest().withMore(ended.suppressed() - 1));
            waitInterval(jobName);
        }
    }

    private void send(Alert alert) {
        try {
            thread.executor().execute(() -> sendNow(alert));
        } catch (RejectedExecutionException e) {
            log.warn(
                    "Job \"{}\": its failure is not sent by \"{}\", because too many messages wait or the application stops",
                    alert.jobName(),
                    name);
        }
    }

    private void sendNow(Alert alert) {
        try {
            channel.send(alert);
            if (failing) {
                failing = false;
                log.info("The error handler \"{}\" sends messages again", name);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            if (!failing) {
                failing = true;
                log.warn(
                        "Job \"{}\": the error handler \"{}\" could not send a message; jobs are not affected. Further"
                                + " failures to send are not logged until one gets through: {}",
                        alert.jobName(),
                        name,
                        Failures.text(e));
            }
        }
    }
}
