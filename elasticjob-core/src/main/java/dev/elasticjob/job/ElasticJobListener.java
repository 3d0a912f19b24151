package dev.elasticjob.job;

import java.util.Map;

/**
 * Called before and after a firing on each instance that has claimed items of it: once for all these items, not once
 * for each. Listeners nest: {@code before} methods are called in order, {@code after} methods in reverse order.
 *
 * <p>A listener is called on a thread that runs items: one call at a time for the same firing, but in parallel for
 * different firings, so implementations must be thread-safe. The items of a firing start only when all {@code before}
 * methods have returned: keep them short.
 */
public interface ElasticJobListener {
    /** Returns whether this listener is called for a job. Called once for each job, when the engine starts. */
    default boolean appliesTo(String jobName) {
        return true;
    }

    /**
     * Called before the first item starts. An exception stops this firing on this instance: its items fail with that
     * exception, without being started or retried, and the {@link JobErrorHandler} is called once. Listeners whose
     * {@code before} method has returned still get their {@code after} call.
     */
    default void beforeJobExecuted(ShardingContexts contexts) {}

    /**
     * Called after the last of the items has ended on this instance. Its lock is being released by then, so the next
     * firing may already have started. An exception is logged and otherwise ignored.
     *
     * @param outcomes the outcome of each item, by item number
     */
    default void afterJobExecuted(ShardingContexts contexts, Map<Integer, ItemOutcome> outcomes) {}
}
