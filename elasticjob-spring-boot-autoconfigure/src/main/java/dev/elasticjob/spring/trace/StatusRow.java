package dev.elasticjob.spring.trace;

import dev.elasticjob.job.event.ExecutionTrigger;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of JOB_STATUS_TRACE_LOG.
 *
 * @param id the same whenever the event is written again
 * @param executionId of the row in JOB_EXECUTION_LOG
 * @param actor who requested the manual run; null for a firing, and if nobody is known
 */
record StatusRow(
        String id,
        String executionId,
        TaskKey task,
        @Nullable ExecutionTrigger trigger,
        State state,
        String message,
        Instant at,
        @Nullable String actor) {
    /** Those of Elastic-Job's states that are written. */
    enum State {
        /** It started, it failed and will be retried, or it executes for longer than stuckAfter. */
        TASK_RUNNING,
        TASK_FINISHED,
        /** It failed, or exceeded its timeout. */
        TASK_ERROR,
        /** Interrupted on its instance, cancelled by an operator, or given up by the job itself. */
        TASK_KILLED,
        /** Its instance is gone; firings did not run and are not repeated; or nobody had begun a firing in time. */
        TASK_LOST,
        /** Firings that a later one makes up for, and manual runs that do not take place. */
        TASK_DROPPED
    }
}
