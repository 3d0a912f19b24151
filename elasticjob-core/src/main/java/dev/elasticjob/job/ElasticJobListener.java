package dev.elasticjob.job;

import java.util.Map;

/**
 * Called around a firing on each instance that has claimed items of it: once for all these items, not for each.
 * Listeners nest: {@code before} in their order, {@code after} in the reverse order.
 *
 * <p>Called on a thread that runs items, never beside itself for one firing, but at the same time for different ones.
 * Implementations must be safe for that. The items of a firing begin when all {@code before} have returned: be quick.
 */
public interface ElasticJobListener {
    /** Whether it wants to hear of a job. Asked once for each job, when the engine is started. */
    default boolean appliesTo(String jobName) {
        return true;
    }

    /**
     * Before the first item begins. An exception stops this firing on this instance: its items have failed with it,
     * without having begun and without retry; the {@link JobErrorHandler} hears of it once. Listeners whose
     * {@code before} has returned get their {@code after}.
     */
    default void beforeJobExecuted(ShardingContexts contexts) {}

    /**
     * After the last of the items has ended here, and after its lock is on its way to being released: the next firing may
     * have begun. An exception is logged and harms nobody.
     *
     * @param outcomes of each item, by its number
     */
    default void afterJobExecuted(ShardingContexts contexts, Map<Integer, ItemOutcome> outcomes) {}
}
