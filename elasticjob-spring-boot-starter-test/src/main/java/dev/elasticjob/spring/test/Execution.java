package dev.elasticjob.spring.test;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One attempt of one instance to run one item.
 *
 * @param instance the instance that ran it
 * @param scheduledAt the scheduled time of the firing; for a manual run, the time at which it was claimed
 * @param runId the run id of that firing, or of the manual run: see {@link
 *     dev.elasticjob.job.ShardingContext#getRunId()}
 * @param attempt the number of the attempt: 1 at first, and higher if an earlier one was interrupted
 * @param failure the exception that the job threw; empty unless the state is FAILED
 */
public record Execution(
        String jobName,
        String instance,
        int item,
        Instant scheduledAt,
        String runId,
        int attempt,
        State state,
        Optional<Throwable> failure) {
    /** The state of an execution. */
    public enum State {
        RUNNING,
        COMPLETED,
        FAILED,
        /** The instance was killed. */
        INTERRUPTED
    }

    /** Whether the job itself has ended, successfully or not. */
    boolean isOver() {
        return state == State.COMPLETED || state == State.FAILED;
    }

    /** Whether it answers this request for a manual run, perhaps together with others. */
    boolean answers(String request) {
        return List.of(runId.split(",")).contains(request);
    }

    Execution to(State next, Optional<Throwable> cause) {
        return new Execution(jobName, instance, item, scheduledAt, runId, attempt, next, cause);
    }

    @Override
    public String toString() {
        return "item %d on \"%s\" for %s, attempt %d: %s%s"
                .formatted(
                        item,
                        instance,
                        scheduledAt,
                        attempt,
                        state,
                        failure.map(cause -> " with " + cause).orElse(""));
    }
}
