package dev.elasticjob.job;

/**
 * Handles failures: each execution that has finally failed, after its retries; an {@link ElasticJobListener} that
 * stopped a firing; and a clock difference that keeps this instance from claiming firings ({@link
 * ClockDifferenceException}). A job selects its handler with {@code jobExceptionHandler}: {@code LOG} (the default),
 * {@code IGNORE}, {@code THROW} (passes the failure to its thread's {@link Thread.UncaughtExceptionHandler}), or a
 * handler of the application's own.
 *
 * <p>A handler is called on a thread that runs items, possibly for several items at the same time. An item stays locked
 * until the call for it returns. An execution that a lost session or the end of the process interrupts has not failed,
 * so the handler is not called for it. An exception from the handler is logged and otherwise ignored.
 */
@FunctionalInterface
public interface JobErrorHandler {
    void handleException(String jobName, Throwable cause);

    /** Handles the failure of an item's execution, with its context. */
    default void handleException(ShardingContext context, Throwable cause) {
        handleException(context.getJobName(), cause);
    }
}
