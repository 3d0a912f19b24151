package dev.elasticjob.kubernetes.app;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks the pods' template: one container is the worker, and nothing is set that the controller sets. Pure. */
public final class TemplateCheck {
    /** The name of the worker's container where there are several. */
    private static final String WORKER = "app";

    private TemplateCheck() {}

    static List<String> faults(PodTemplateSpec template) {
        List<String> faults = new ArrayList<>();
        labels(template).keySet().stream()
                .filter(name -> name.startsWith(Injected.LABELS))
                .sorted()
                .forEach(name -> faults.add(
                        "spec.template.metadata.labels: \"%s\" is set by the controller. Remove it".formatted(name)));
        PodSpec pod = template.getSpec();
        if (pod == null || pod.getContainers().isEmpty()) {
            faults.add(
                    "spec.template.spec.containers: expected the application's container, found none. Add it with its name and image");
            return faults;
        }
        if (pod.getRestartPolicy() != null) {
            faults.add("spec.template.spec.restartPolicy: the controller sets it, found \"%s\". Remove it"
                    .formatted(pod.getRestartPolicy()));
        }
        worker(pod.getContainers())
                .ifPresentOrElse(
                        container -> faults.addAll(ofWorker(container)),
                        () -> faults.add(
                                "spec.template.spec.containers: expected one that is named \"%s\" among several, found %s. Rename the application's container"
                                        .formatted(WORKER, names(pod.getContainers()))));
        return faults;
    }

    private static Map<String, String> labels(PodTemplateSpec template) {
        return template.getMetadata() == null || template.getMetadata().getLabels() == null
                ? Map.of()
                : template.getMetadata().getLabels();
    }

    private static List<String> names(List<Container> containers) {
        return containers.stream()
                .map(container -> String.valueOf(container.getName()))
                .toList();
    }

    /** The worker's container: the only one, or the one of its name; empty if none is. */
    public static Optional<Container> worker(List<Container> containers) {
        return containers.size() == 1
                ? Optional.of(containers.get(0))
                : containers.stream()
                        .filter(container -> WORKER.equals(container.getName()))
                        .findFirst();
    }

    private static List<String> ofWorker(Container container) {
        List<String> faults = new ArrayList<>();
        if (container.getName() == null || container.getName().isBlank()) {
            faults.add("spec.template.spec.containers: expected a name, found none. Call it \"%s\"".formatted(WORKER));
        }
        if (container.getImage() == null || container.getImage().isBlank()) {
            faults.add("spec.template.spec.containers: expected an image of container \"%s\", found none. Set it"
                    .formatted(container.getName()));
        }
        container.getEnv().stream()
                .map(EnvVar::getName)
                .filter(Injected.VARIABLES::contains)
                .sorted()
                .forEach(name -> faults.add(
                        "spec.template.spec.containers: %s of container \"%s\" is set by the controller. Remove it; see spec.registryNamespace and the fields of the pool"
                                .formatted(name, container.getName())));
        return faults;
    }
}
