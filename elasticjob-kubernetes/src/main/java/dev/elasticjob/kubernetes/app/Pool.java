package dev.elasticjob.kubernetes.app;

import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Workers that are alike. Immutable, except for what Kubernetes' model brings.
 *
 * @param jobs the names of the jobs that its workers run; empty for all that no other pool names
 * @param capacity what items may weigh together that one worker claims
 * @param baseWorkers how many are always there
 * @param maxWorkers how many there are at most, those that are always there included
 * @param freshWorkers whether a worker ends after its first items
 * @param startAhead how long before a firing its workers are started
 * @param idleAfter how long a worker without work stays
 * @param startTimeout how long a worker may take from the start of its container to its registration
 * @param resources of the worker's container; those of the template if empty
 */
public record Pool(
        String name,
        List<String> jobs,
        int capacity,
        int baseWorkers,
        int maxWorkers,
        boolean freshWorkers,
        Duration startAhead,
        Duration idleAfter,
        Duration startTimeout,
        Optional<ResourceRequirements> resources) {
    public Pool {
        jobs = List.copyOf(jobs);
    }
}
