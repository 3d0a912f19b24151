package dev.elasticjob.coordination.state;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The firing or run that a manual run stands for: one that has failed, and is repeated; or, with attempt 1, a firing of the
 * past.
 *
 * @param at the firing; null if the execution was one of a manual run
 * @param runId the manual run; null if the execution was one of a firing
 * @param attempt counts the starts for that firing or run, this one included
 */
public record RepeatedRun(@Nullable Instant at, @Nullable String runId, int attempt) {
    /** Whether it repeats a failed execution. */
    public boolean repeatsFailure() {
        return attempt > 1;
    }

    /** The attempt after one that has failed too. */
    public RepeatedRun next(int failed) {
        return new RepeatedRun(at, runId, failed + 1);
    }
}
