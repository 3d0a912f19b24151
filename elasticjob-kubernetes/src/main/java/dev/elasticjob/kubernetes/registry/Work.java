package dev.elasticjob.kubernetes.registry;

import dev.elasticjob.admin.JobDemand;
import dev.elasticjob.admin.app.Suspension;
import dev.elasticjob.kubernetes.plan.Registered;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the registry shows of a namespace. Immutable.
 *
 * @param demands of all its jobs, as they are, and as they will be after some time
 * @param instances all that are registered
 * @param suspension by which an operator keeps the application from getting workers
 */
public record Work(
        Map<Duration, List<JobDemand>> demands, List<Registered> instances, Optional<Suspension> suspension) {
    public Work {
        demands = Map.copyOf(demands);
        instances = List.copyOf(instances);
    }
}
