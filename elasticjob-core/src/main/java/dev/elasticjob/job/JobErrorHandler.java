package dev.elasticjob.job;

/**
 * Hears of failures: of each execution that has failed for good, after its retries; of an {@link ElasticJobListener} that
 * stopped a firing; and of a clock that keeps this instance from claiming ({@link ClockDifferenceException}). A job
 * names its handler with {@code jobExceptionHandler}: {@code LOG} (the default), {@code IGNORE}, {@code THROW} (gives
 * the failure to its thread's {@link Thread.UncaughtExceptionHandler}), or one of the user's own.
 *
 * <p>Called on a thread that runs items, for several at a time; an item stays locked until its call returns. What is
 * interrupted, by a lost session or the end of the process, has not failed. An exception is logged and harms nobody.
 */
@FunctionalInterface
public interface JobErrorHandler {
    void handleException(String jobName, Throwable cause);

    /** The same for the execution of an item, with all that is known of it. */
    default void handleException(ShardingContext context, Throwable cause) {
        handleException(context.getJobName(), cause);
    }
}
