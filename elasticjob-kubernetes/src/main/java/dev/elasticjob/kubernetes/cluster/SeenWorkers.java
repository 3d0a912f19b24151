package dev.elasticjob.kubernetes.cluster;

import dev.elasticjob.kubernetes.app.Injected;
import dev.elasticjob.kubernetes.plan.Base;
import dev.elasticjob.kubernetes.plan.Reason;
import dev.elasticjob.kubernetes.plan.Worker;
import dev.elasticjob.kubernetes.plan.Worker.Phase;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads workers from Jobs, Deployments and pods. Pure. */
final class SeenWorkers {
    private static final String JOB_OF_POD = "batch.kubernetes.io/job-name";

    private SeenWorkers() {}

    /** Those on demand, by pool. A pod whose Job was deleted holds its place until it has ended. */
    static Map<String, List<Worker>> onDemand(Collection<Job> jobs, Collection<Pod> pods) {
        Map<String, List<Pod>> podsOfJobs = pods.stream()
                .filter(pod -> label(pod, Injected.ORDINAL).isPresent())
                .collect(Collectors.groupingBy(SeenWorkers::jobOf, TreeMap::new, Collectors.toList()));
        Map<String, Job> known = new HashMap<>();
        jobs.stream()
                .filter(job -> label(job, Injected.ORDINAL).isPresent())
                .forEach(job -> known.put(job.getMetadata().getName(), job));
        Stream<Map.Entry<String, Worker>> ofJobs = known.entrySet().stream()
                .map(job -> entry(
                        job.getValue(), worker(job.getValue(), podsOfJobs.getOrDefault(job.getKey(), List.of()))));
        Stream<Map.Entry<String, Worker>> ofPods = podsOfJobs.entrySet().stream()
                .filter(job -> !known.containsKey(job.getKey()))
                .filter(job -> job.getValue().stream().anyMatch(pod -> !SeenPod.isOver(pod)))
                .map(job -> entry(job.getValue().get(0), orphan(job.getKey(), job.getValue())));
        return Stream.concat(ofJobs, ofPods)
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
    }

    private static Map.Entry<String, Worker> entry(HasMetadata object, Worker worker) {
        return Map.entry(label(object, Injected.POOL).orElse(""), worker);
    }

    private static String jobOf(Pod pod) {
        return label(pod, JOB_OF_POD)
                .or(() -> pod.getMetadata().getOwnerReferences().stream()
                        .map(owner -> owner.getName())
                        .findFirst())
                .orElse(pod.getMetadata().getName());
    }

    private static Worker worker(Job job, List<Pod> pods) {
        Phase phase = phase(job, pods);
        Optional<Reason> reason = pods.stream()
                .flatMap(pod -> SeenPod.reason(pod, phase).stream())
                .findFirst()
                .or(() -> ofJob(job, phase));
        return worker(job.getMetadata().getName(), job, phase, pods, reason);
    }

    private static Worker orphan(String name, List<Pod> pods) {
        Phase phase = pods.stream().anyMatch(pod -> SeenPod.started(pod).isPresent()) ? Phase.RUNNING : Phase.PENDING;
        return worker(name, pods.get(0), phase, pods, Optional.empty());
    }

    private static Worker worker(
            String name, HasMetadata labelled, Phase phase, List<Pod> pods, Optional<Reason> reason) {
        return new Worker(
                name,
                number(labelled, Injected.ORDINAL),
                number(labelled, Injected.NUMBER),
                label(labelled, Injected.TEMPLATE).orElse(""),
                phase,
                time(labelled.getMetadata().getCreationTimestamp()).orElse(Instant.EPOCH),
                pods.stream()
                        .flatMap(pod -> time(pod.getMetadata().getCreationTimestamp()).stream())
                        .min(Instant::compareTo),
                pods.stream().flatMap(pod -> SeenPod.started(pod).stream()).min(Instant::compareTo),
                pods.stream().flatMap(pod -> SeenPod.ended(pod).stream()).max(Instant::compareTo),
                pods.stream().map(pod -> pod.getMetadata().getName()).collect(Collectors.toSet()),
                reason);
    }

    private static Phase phase(Job job, List<Pod> pods) {
        boolean over = pods.stream().allMatch(SeenPod::isOver);
        if (over && has(job, "Complete")) {
            return Phase.SUCCEEDED;
        }
        if (over && has(job, "Failed")) {
            return Phase.FAILED;
        }
        return pods.stream().anyMatch(pod -> SeenPod.started(pod).isPresent()) ? Phase.RUNNING : Phase.PENDING;
    }

    private static boolean has(Job job, String condition) {
        return job.getStatus() != null
                && job.getStatus().getConditions().stream()
                        .anyMatch(one -> condition.equals(one.getType()) && "True".equals(one.getStatus()));
    }

    private static Optional<Reason> ofJob(Job job, Phase phase) {
        if (phase == Phase.PENDING && Boolean.TRUE.equals(job.getSpec().getSuspend())) {
            return Optional.of(new Reason("Queued", "its Job is suspended; a queue, such as Kueue's, starts it"));
        }
        return phase == Phase.FAILED && job.getStatus() != null
                ? job.getStatus().getConditions().stream()
                        .filter(one -> "Failed".equals(one.getType()))
                        .map(one -> new Reason(
                                Objects.requireNonNullElse(one.getReason(), "Failed"),
                                Objects.requireNonNullElse(one.getMessage(), "its Job has failed")))
                        .findFirst()
                : Optional.empty();
    }

    /** Those that are always there, by pool. */
    static Map<String, Base> bases(Collection<Deployment> deployments, Collection<Pod> pods) {
        Map<String, List<Pod>> podsOfPools = pods.stream()
                .filter(pod -> label(pod, WorkerObjects.BASE).isPresent())
                .filter(pod -> !SeenPod.isOver(pod))
                .collect(Collectors.groupingBy(pod -> label(pod, Injected.POOL).orElse("")));
        return deployments.stream()
                .collect(Collectors.toMap(
                        deployment -> label(deployment, Injected.POOL).orElse(""),
                        deployment -> base(
                                deployment,
                                podsOfPools.getOrDefault(
                                        label(deployment, Injected.POOL).orElse(""), List.of())),
                        (one, other) -> one));
    }

    private static Base base(Deployment deployment, List<Pod> pods) {
        Map<String, String> templates = new TreeMap<>();
        pods.forEach(pod -> templates.put(
                pod.getMetadata().getName(), label(pod, Injected.TEMPLATE).orElse("")));
        return new Base(
                Objects.requireNonNullElse(deployment.getSpec().getReplicas(), 1),
                label(deployment, Injected.TEMPLATE).orElse(""),
                templates,
                pods.stream()
                        .sorted((one, other) -> one.getMetadata()
                                .getName()
                                .compareTo(other.getMetadata().getName()))
                        .flatMap(pod -> SeenPod.reason(pod, Phase.PENDING)
                                .map(reason -> new Reason(
                                        reason.code(),
                                        Base.ofPod(pod.getMetadata().getName()) + reason.text()))
                                .stream())
                        .findFirst());
    }

    /** Where each pod is that has been scheduled, by its name. */
    static Map<String, String> nodes(Collection<Pod> pods) {
        return pods.stream()
                .filter(pod -> pod.getSpec() != null && pod.getSpec().getNodeName() != null)
                .collect(Collectors.toMap(
                        pod -> pod.getMetadata().getName(), pod -> pod.getSpec().getNodeName(), (one, other) -> one));
    }

    private static Optional<String> label(HasMetadata object, String name) {
        return Optional.ofNullable(object.getMetadata().getLabels()).map(labels -> labels.get(name));
    }

    private static int number(HasMetadata object, String label) {
        return label(object, label)
                .filter(text -> text.matches("\\d{1,9}"))
                .map(Integer::parseInt)
                .orElse(0);
    }

    static Optional<Instant> time(@Nullable String text) {
        return Optional.ofNullable(text).map(Instant::parse);
    }
}
