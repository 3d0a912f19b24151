package dev.elasticjob.job;

import dev.elasticjob.time.TaskTimer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;

/**
 * Logs failures as errors: the error handler that jobs have by default, {@code LOG}. Handlers of an application may call it
 * too. A failure that a job repeats is logged {@linkplain FailureLog in full once}. Thread-safe.
 */
public final class LoggingErrorHandler implements JobErrorHandler {
    private final Logger log;
    private final TaskTimer timer;
    private final Map<String, FailureLog> byJob = new ConcurrentHashMap<>();

    /** @param timer tells how long ago a failure was logged in full */
    public LoggingErrorHandler(Logger log, TaskTimer timer) {
        this.log = log;
        this.timer = timer;
    }

    @Override
    public void handleException(String jobName, Throwable cause) {
        failuresOf(jobName).error("Job \"%s\" failed".formatted(jobName), cause);
    }

    @Override
    public void handleException(ShardingContext context, Throwable cause) {
        failuresOf(context.getJobName())
                .error(
                        "Job \"%s\": item %d failed (run \"%s\", attempt %d)"
                                .formatted(
                                        context.getJobName(),
                                        context.getShardingItem(),
                                        context.getRunId(),
                                        context.getAttempt()),
                        cause);
    }

    private FailureLog failuresOf(String jobName) {
        return byJob.computeIfAbsent(jobName, any -> new FailureLog(log, timer));
    }
}
