package dev.elasticjob.kubernetes.plan;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What is to be done for an application, and what its status shows. Immutable. */
public record AppPlan(List<PoolPlan> pools, List<Condition> conditions) {
    public AppPlan {
        pools = List.copyOf(pools);
        conditions = List.copyOf(conditions);
    }

    /** When something may change without an event. */
    public Optional<Instant> lookAgain() {
        return pools.stream().flatMap(pool -> pool.lookAgain().stream()).min(Comparator.naturalOrder());
    }
}
