package dev.elasticjob.spring.trace;

import dev.elasticjob.job.event.ExecutionTrigger;
import dev.elasticjob.spring.history.HistoryOutcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of JOB_EXECUTION_LOG as an event has it.
 *
 * @param id the same whenever the execution is reported
 * @param origin which event it comes from
 * @param actor who requested the manual run; null for a firing, and if nobody is known
 */
record ExecutionRow(
        String id,
        Origin origin,
        TaskKey task,
        @Nullable ExecutionTrigger trigger,
        HistoryOutcome outcome,
        @Nullable Instant started,
        @Nullable Instant completed,
        int retries,
        int missedFirings,
        @Nullable String failure,
        @Nullable String actor) {
    /** Which of several rows of one execution counts. */
    enum Origin {
        /** The execution has started: the row is of use until there is another. */
        START,
        /** Another instance has found it interrupted: counts unless the execution's own instance has reported its end. */
        FOUND_INTERRUPTED,
        /** An operator has cancelled it: that counts, whatever its own instance reports, which has the details. */
        CANCELLED,
        /** Its own instance has reported its end, or it is no execution. */
        END
    }

    /** This row and a later one of the same execution, as one. */
    ExecutionRow mergedWith(ExecutionRow later) {
        if (later.origin == Origin.CANCELLED) {
            return cancelled(later);
        }
        if (origin == Origin.CANCELLED) {
            return later.cancelled(this);
        }
        boolean replaces = later.origin.compareTo(origin) >= 0;
        ExecutionRow counts = replaces ? later : this;
        ExecutionRow other = replaces ? this : later;
        Instant start = counts.started != null ? counts.started : other.started;
        ExecutionTrigger known = counts.trigger != null ? counts.trigger : other.trigger;
        return new ExecutionRow(
                id,
                counts.origin,
                counts.task,
                known,
                counts.outcome,
                start,
                counts.completed,
                counts.retries,
                counts.missedFirings,
                counts.failure,
                counts.actor != null ? counts.actor : other.actor);
    }

    private ExecutionRow cancelled(ExecutionRow cancellation) {
        boolean ended = origin == Origin.END;
        return new ExecutionRow(
                id,
                ended ? Origin.END : Origin.CANCELLED,
                task,
                trigger,
                HistoryOutcome.CANCELLED,
                started,
                ended ? completed : cancellation.completed,
                retries,
                missedFirings,
                ended && failure != null ? failure : cancellation.failure,
                actor);
    }
}
