package dev.elasticjob.kubernetes.plan;

import dev.elasticjob.kubernetes.app.Pool;
import java.util.List;

/**
 * A pool as it was seen. Immutable.
 *
 * @param template identifies the pods that are started now
 * @param workers those on demand, finished ones included
 */
public record PoolView(Pool pool, String template, PoolMemory memory, List<Worker> workers, Base base) {
    public PoolView {
        workers = List.copyOf(workers);
    }
}
