package dev.elasticjob.spring.observation;

import dev.elasticjob.job.ShardingContexts;
import io.micrometer.observation.Observation;

/** What is known about a firing on one instance. */
public final class FiringObservationContext extends Observation.Context {
    private final ShardingContexts contexts;

    public FiringObservationContext(ShardingContexts contexts) {
        this.contexts = contexts;
    }

    /** The items that this instance has claimed together. */
    public ShardingContexts contexts() {
        return contexts;
    }
}
