package dev.elasticjob.job;

import java.time.Instant;
import java.util.Optional;

/**
 * What one execution of one item knows about itself. Values never change during the execution but for
 * {@link #isLeaseLost()} and {@link #getLastCheckpoint()}; safe for use by any thread.
 */
public interface ShardingContext {
    String getJobName();

    /**
     * Unique for each execution: job, item, scheduled time or run id, attempt and instance, joined by {@code @-@}.
     */
    String getTaskId();

    /**
     * The same on every instance, for every item and in every attempt of one firing: the job's name, {@code @} and the
     * {@linkplain #getScheduledTime() scheduled time}, as in {@code orders@2026-11-21T10:00:00Z}. For a manual run the id
     * of the request, which has no {@code @}; several, joined by commas, where one execution answers several requests.
     */
    String getRunId();

    /** Into how many items the job was cut when this execution was claimed. */
    int getShardingTotalCount();

    /** The job's parameter; empty when there is none. */
    String getJobParameter();

    /** The item to work on: 0 … {@link #getShardingTotalCount()} - 1. */
    int getShardingItem();

    /** The parameter of this item; empty when there is none. */
    String getShardingParameter();

    /** What this run was asked for with; empty when there is no parameter, and for a firing of the schedule. */
    String getRunParameter();

    /**
     * The moment this execution is for, from the cron expression in the job's time zone: the same on every instance,
     * however late the execution runs. For a manual run, the moment it was claimed.
     */
    Instant getScheduledTime();

    /** 1 at first; higher when an earlier attempt at the same item and firing was interrupted. */
    int getAttempt();

    /**
     * A number that grows with each start of this item, on whatever instance, while the registry's data lives. Give it
     * to your own storage ({@code UPDATE … WHERE token < ?}) so that an execution which lost its lease without
     * noticing can't overwrite its successor. Items claimed together share a number: compare per item. 0 when the job
     * doesn't monitor its executions.
     */
    long getFencingToken();

    /**
     * Whether another instance may be running this item by now, because this process can no longer rely on its registry
     * session. Long executions should look from time to time and stop; the thread is interrupted as well, unless the
     * engine is told to let executions go on. False again when it turns out that the session has survived. Always false
     * when the job doesn't monitor its executions.
     */
    boolean isLeaseLost();

    /**
     * Where an execution of this item last said it had come: this one, an earlier attempt, or the one for an earlier
     * firing, on whatever instance. Empty when none has, or the last one has said so with an empty text.
     */
    Optional<String> getLastCheckpoint();

    /**
     * Says how far this execution has come, so that the next one of this item, or the next attempt, can go on from there.
     * Returns at once and may be called after every batch: of all that is said, the newest is stored, at most once a second,
     * and with the end of the execution, however it ends. A process that dies may lose the last second's; so whatever is
     * done after a checkpoint may be done again. An execution that another one has succeeded changes nothing any more.
     *
     * @param text up to 4,096 bytes of UTF-8; empty to begin anew
     * @throws IllegalArgumentException when the text is longer
     * @throws IllegalStateException when the job doesn't monitor its executions, or this one has ended
     */
    void checkpoint(String text);
}
