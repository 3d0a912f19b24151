package dev.elasticjob.kubernetes.plan;

import dev.elasticjob.admin.JobDemand;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * An application as it was seen. Immutable.
 *
 * @param suspended why nothing is to be started; empty if something may be
 * @param demands of all jobs of its namespace, as they are, and as they will be after the {@code startAhead} of each pool
 * @param instances all of the namespace
 */
public record AppView(
        String name,
        Optional<String> suspended,
        List<PoolView> pools,
        Map<Duration, List<JobDemand>> demands,
        List<Registered> instances) {
    public AppView {
        pools = List.copyOf(pools);
        demands = Map.copyOf(demands);
        instances = List.copyOf(instances);
    }

    Optional<JobDemand> demand(Duration ahead, String job) {
        return demands(ahead).stream()
                .filter(demand -> demand.jobName().equals(job))
                .findFirst();
    }

    List<JobDemand> demands(Duration ahead) {
        return Objects.requireNonNull(demands.get(ahead), "demands after startAhead");
    }

    /** The jobs of the namespace. */
    Set<String> known() {
        return demands(Duration.ZERO).stream().map(JobDemand::jobName).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The jobs that pools name. */
    Set<String> named() {
        return pools.stream()
                .flatMap(view -> view.pool().jobs().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
