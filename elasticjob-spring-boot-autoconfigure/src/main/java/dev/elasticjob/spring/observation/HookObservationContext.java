package dev.elasticjob.spring.observation;

import dev.elasticjob.job.event.ExecutionObserver.HookStart;
import dev.elasticjob.job.event.ExecutionOutcome;
import io.micrometer.observation.Observation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is known about a call of a job's cluster listeners that runs, or has ended. */
public final class HookObservationContext extends Observation.Context {
    private final HookStart hook;
    private volatile @Nullable ExecutionOutcome outcome;

    public HookObservationContext(HookStart hook) {
        this.hook = hook;
    }

    public HookStart hook() {
        return hook;
    }

    /** How it ended; empty until then. */
    public Optional<ExecutionOutcome> outcome() {
        return Optional.ofNullable(outcome);
    }

    void ended(ExecutionOutcome how) {
        outcome = how;
    }
}
