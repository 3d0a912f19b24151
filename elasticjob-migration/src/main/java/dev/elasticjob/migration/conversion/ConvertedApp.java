package dev.elasticjob.migration.conversion;

import java.util.List;
import java.util.Optional;

/**
 * An app of Elastic-Job-Cloud as an {@code ElasticApp}.
 *
 * @param name of the resource
 * @param registryNamespace of its jobs; the name of the resource if empty
 * @param suspended whether no worker is started
 * @param document its {@code application.yml}
 */
public record ConvertedApp(
        String name,
        Optional<String> registryNamespace,
        boolean suspended,
        List<ConvertedPool> pools,
        ConvertedDocument document) {
    /**
     * Workers that run one item each.
     *
     * @param milliCpus of a worker, in thousandths of a CPU
     * @param mebibytes memory of a worker
     */
    public record ConvertedPool(
            String name, List<String> jobs, int baseWorkers, int maxWorkers, long milliCpus, long mebibytes) {
        public ConvertedPool {
            jobs = List.copyOf(jobs);
        }
    }

    public ConvertedApp {
        pools = List.copyOf(pools);
    }
}
