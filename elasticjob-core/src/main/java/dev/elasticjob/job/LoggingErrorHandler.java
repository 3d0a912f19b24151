package dev.elasticjob.job;

import dev.elasticjob.time.TaskTimer;
import org.slf4j.Logger;

/**
 * Logs failures as errors: the error handler that jobs have by default, {@code LOG}. Handlers of an application may call it
 * too. A failure that a job repeats is logged {@linkplain FailureLog in full once}. Thread-safe.
 */
public final class LoggingErrorHandler implements JobErrorHandler {
    private final FailureLogs failures;

    /** @param timer tells how long ago a failure was logged in full */
    public LoggingErrorHandler(Logger log, TaskTimer timer) {
        this.failures = new FailureLogs(log, timer::nanoTime);
    }

    @Override
    public void handleException(String jobName, Throwable cause) {
        failures.of(jobName).error("Job \"%s\" failed".formatted(jobName), cause);
    }

    @Override
    public void handleException(ShardingContext context, Throwable cause) {
        failures.of(context.getJobName())
                .error(
                        "Job \"%s\": item %d failed (run \"%s\", attempt %d)"
                                .formatted(
                                        context.getJobName(),
                                        context.getShardingItem(),
                                        context.getRunId(),
                                        context.getAttempt()),
                        cause);
    }
}
