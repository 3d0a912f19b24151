package dev.elasticjob.job.cluster;

import dev.elasticjob.job.JobErrorHandler;

/**
 * Called once for a whole firing, on one of all instances: before its first item begins anywhere, and after its last item
 * has ended. For what is called on each instance, around the items that it runs, use {@link
 * dev.elasticjob.job.ElasticJobListener}.
 *
 * <p><b>Guarantees.</b> No item of the firing begins on any instance before {@code beforeFirstItem} has returned on one of
 * them. {@code afterLastItem} is called when every item of the firing has ended, and none of them begins that firing later.
 * Two calls for the same firing never run at the same time, as long as interrupted calls end within their lease. Each is
 * called once; only if its instance dies or loses its session during the call, it is called again, with a higher {@linkplain
 * ClusterFiring#attempt() attempt}. So make both repeatable, or use the {@linkplain ClusterFiring#fencingToken() fencing token}.
 *
 * <p>A firing has these calls from the moment when an instance finds one of its items due; a firing that no instance began
 * has none, nor has one that was folded into a later one on all items. Manual runs have them too. With {@code
 * monitorExecution=false}, scheduled firings have none.
 *
 * <p><b>Threads and time.</b> Calls run on threads of their own, which don't count towards the job's threads. Calls for
 * different firings may run at the same time, so implementations must be thread-safe. A call that takes longer than the
 * job's {@code beforeFirstTimeout} (5 minutes by default) or {@code afterLastTimeout} (30 minutes) is interrupted and has failed. An
 * interruption also follows if the session is lost, or the shutdown takes too long; then the call is repeated elsewhere.
 * While {@code beforeFirstItem} runs, no item of the firing begins, and no later firing of the job; {@code afterLastItem}
 * delays no later firing.
 *
 * <p>Several listeners of a job are called one after the other within one call: {@code beforeFirstItem} in order, {@code
 * afterLastItem} in reverse order.
 */
public interface ClusterJobListener {
    /**
     * Returns whether this listener is called for a job. Called once for each job, when the engine starts. A job with such a
     * listener needs four more transactions for each firing.
     */
    default boolean appliesTo(String jobName) {
        return true;
    }

    /**
     * Called before the first item of a firing begins.
     *
     * @throws Exception stops the firing: its items end as {@code FAILED} without being started, {@code afterLastItem} is not
     *     called, and the {@link JobErrorHandler} is called once, on this instance
     */
    default void beforeFirstItem(ClusterFiring firing) throws Exception {}

    /**
     * Called after the last item of a firing has ended.
     *
     * @param outcomes how each item has ended, on which instance, and after how many attempts
     * @throws Exception is passed to the {@link JobErrorHandler}; the listeners before this one are called nevertheless. The
     *     firing then counts as failed for jobs that run after this one
     */
    default void afterLastItem(ClusterFiring firing, FiringOutcomes outcomes) throws Exception {}
}
