package dev.elasticjob.kubernetes.cluster;

import dev.elasticjob.kubernetes.plan.Base;
import dev.elasticjob.kubernetes.plan.Worker;
import java.util.List;
import java.util.Map;

/**
 * The resource of an application, as it was seen with its workers. Immutable.
 *
 * @param spec as the API server has it; unchecked
 * @param status as it was written last; empty if it never was
 * @param workers those on demand, by pool
 * @param bases those that are always there, by pool
 * @param nodes where each pod is that has been scheduled
 */
public record SeenApp(
        Identity identity,
        Map<String, String> labels,
        Map<String, Object> spec,
        Map<String, Object> status,
        Map<String, List<Worker>> workers,
        Map<String, Base> bases,
        Map<String, String> nodes) {
    /**
     * Which resource it is.
     *
     * @param generation counts the changes of the spec
     */
    public record Identity(String namespace, String name, String uid, long generation) {}

    public SeenApp {
        labels = Map.copyOf(labels);
        workers = Map.copyOf(workers);
        bases = Map.copyOf(bases);
        nodes = Map.copyOf(nodes);
    }

    public String name() {
        return identity.name();
    }

    public List<Worker> workers(String pool) {
        return workers.getOrDefault(pool, List.of());
    }

    public Base base(String pool) {
        return bases.getOrDefault(pool, Base.NONE);
    }
}
