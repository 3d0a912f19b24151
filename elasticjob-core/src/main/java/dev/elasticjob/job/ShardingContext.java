package dev.elasticjob.job;

import dev.elasticjob.job.after.ParentFiring;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Describes one execution of one item. Values never change during the execution, except {@link #isLeaseLost()} and
 * {@link #getLastCheckpoint()}. Thread-safe.
 */
public interface ShardingContext {
    String getJobName();

    /**
     * Unique for each execution: job, item, scheduled time or run id, attempt and instance, joined by {@code @-@}.
     */
    String getTaskId();

    /**
     * The run id, which is the same on every instance, for every item and in every attempt of one firing: the job's
     * name, {@code @} and the {@linkplain #getScheduledTime() scheduled time}, for example {@code
     * orders@2026-11-21T10:00:00Z}. For a manual run, it is the id of the request, which has no {@code @}; if one
     * execution answers several requests, their ids are joined by commas.
     */
    String getRunId();

    /** The number of items of the job when this execution was claimed. */
    int getShardingTotalCount();

    /** The job's parameter; empty when there is none. */
    String getJobParameter();

    /** The item to work on: 0 … {@link #getShardingTotalCount()} - 1. */
    int getShardingItem();

    /** The parameter of this item; empty when there is none. */
    String getShardingParameter();

    /** The parameter of this manual run; empty if it has none, and for a scheduled firing. */
    String getRunParameter();

    /**
     * Who requested this manual run, and why; empty for a firing, and where nobody is known: a run at startup, after other
     * jobs, or from an operator's tool of 2.x. If one execution answers several requests, the first of which it is known.
     */
    default Optional<Requester> getRequester() {
        return Optional.empty();
    }

    /**
     * The firings of other jobs after which this run takes place, one for each of the jobs that this one follows; empty if
     * nothing but a request or the schedule has started it.
     */
    default List<ParentFiring> getParents() {
        return List.of();
    }

    /**
     * The time for which this execution was scheduled, from the cron expression in the job's time zone. It is the same
     * on every instance, however late the execution runs. For a manual run, the time at which it was claimed.
     */
    Instant getScheduledTime();

    /**
     * The number of this attempt: 1 at first, and higher if an earlier attempt at the same item and firing was
     * interrupted.
     */
    int getAttempt();

    /**
     * A number that grows with each start of this item on any instance, as long as the registry's data exists. Pass it
     * to your own storage ({@code UPDATE … WHERE token < ?}), so that an execution that has lost its lease without
     * noticing can't overwrite the work of its successor. Items that were claimed together have the same number, so
     * compare it for each item separately. 0 for a scheduled execution of a job that doesn't monitor its executions.
     */
    long getFencingToken();

    /**
     * Whether another instance may be running this item by now, because this process can no longer rely on its registry
     * session. Long executions should check this from time to time, and stop. The thread is interrupted as well, unless
     * the engine is configured to let executions continue. False again if the session turns out to have survived.
     * Always false for a scheduled execution of a job that doesn't monitor its executions.
     */
    boolean isLeaseLost();

    /**
     * The last checkpoint of this item, set by this execution, by an earlier attempt, or by the execution for an
     * earlier firing, on any instance. Empty if there is none, or if the last one is an empty text.
     */
    Optional<String> getLastCheckpoint();

    /**
     * Records how far this execution has come, so that the next execution of this item, or the next attempt, can
     * continue from there. Returns at once and may be called after every batch: only the newest checkpoint is stored,
     * at most once a second, and once more with the end of the execution, however it ends. If the process dies, the
     * checkpoints of the last second may be lost, so work that follows a checkpoint may be repeated. Calls from an
     * execution that has been replaced by another one have no effect.
     *
     * @param text at most 4,096 bytes of UTF-8; empty to start from the beginning
     * @throws IllegalArgumentException when the text is longer
     * @throws IllegalStateException when this is a scheduled execution of a job that doesn't monitor its executions, or
     *     when it has ended
     */
    void checkpoint(String text);

    /**
     * Shows people how far this execution has come, in the console and the Actuator endpoint, while it runs. Unlike a
     * {@linkplain #checkpoint(String) checkpoint}, nothing continues from it. Returns at once, and may be called as often
     * as you like, on any thread: only the newest report counts, and it is written to the registry every 5 s at most,
     * together with those of the other items that run here. It never fails the job for reasons of the registry, and has no
     * effect after the end of the execution, or for a scheduled execution of a job that doesn't monitor its executions. A
     * retry shows the last report of the attempt before until it reports itself.
     *
     * @param done how much is done, in whatever the job counts; may exceed the total, if that was an estimate
     * @param total how much there is to do; 0 if that isn't known
     * @param text what it is about; cut to 128 bytes of UTF-8 on one line; may be empty
     * @throws IllegalArgumentException when a number is negative
     */
    default void progress(long done, long total, String text) {}

    /** The same without a text. */
    default void progress(long done, long total) {
        progress(done, total, "");
    }

    /**
     * Who requested a manual run, and why, as the registry keeps it: with longer texts cut to 64 and 128 bytes of UTF-8, on
     * one line.
     *
     * @param actor for example a user name
     * @param reason empty if none was given
     */
    record Requester(String actor, String reason) {
        /** {@code alice}, or {@code alice: wrong data}. */
        public String text() {
            return reason.isEmpty() ? actor : actor + ": " + reason;
        }
    }
}
