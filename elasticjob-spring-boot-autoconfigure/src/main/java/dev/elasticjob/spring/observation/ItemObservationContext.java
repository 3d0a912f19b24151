package dev.elasticjob.spring.observation;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.job.event.ExecutionTrigger;
import io.micrometer.observation.Observation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is known about an item that executes, or has ended. */
public final class ItemObservationContext extends Observation.Context {
    private final ShardingContext item;
    private final ExecutionTrigger trigger;
    private volatile @Nullable ExecutionOutcome outcome;

    public ItemObservationContext(ShardingContext item, ExecutionTrigger trigger) {
        this.item = item;
        this.trigger = trigger;
    }

    public ShardingContext item() {
        return item;
    }

    public ExecutionTrigger trigger() {
        return trigger;
    }

    /** How it ended; empty until then. */
    public Optional<ExecutionOutcome> outcome() {
        return Optional.ofNullable(outcome);
    }

    void ended(ExecutionOutcome how) {
        outcome = how;
    }
}
