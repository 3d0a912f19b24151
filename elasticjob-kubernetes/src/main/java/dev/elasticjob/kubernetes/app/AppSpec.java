package dev.elasticjob.kubernetes.app;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;

/**
 * What an {@code ElasticApp} asks for, checked.
 *
 * @param registryNamespace the namespace of its jobs in the registry
 * @param suspend whether no worker is started; what is due stays owed
 * @param template of the workers' pods; never changed
 */
public record AppSpec(String registryNamespace, boolean suspend, List<Pool> pools, PodTemplateSpec template) {
    public AppSpec {
        pools = List.copyOf(pools);
    }
}
