package dev.elasticjob.kubernetes.cluster;

import dev.elasticjob.kubernetes.app.AppSpec;
import dev.elasticjob.kubernetes.app.Injected;
import dev.elasticjob.kubernetes.app.Pool;
import dev.elasticjob.kubernetes.app.TemplateCheck;
import dev.elasticjob.kubernetes.plan.PoolPlan.Place;
import dev.elasticjob.time.WrittenDuration;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Makes the objects of an application's workers from its template. Does no I/O; immutable. */
public final class WorkerObjects {
    /** Marks the pods of those that are always there. */
    static final String BASE = Injected.LABELS + "base";

    private static final int SECONDS_AFTER_END = 600;
    private static final int HASH_BYTES = 5;

    private final KubernetesSerialization serialization;
    private final RegistryAccess registry;

    public WorkerObjects(KubernetesSerialization serialization, RegistryAccess registry) {
        this.serialization = serialization;
        this.registry = registry;
    }

    /** Identifies what workers of the pool are started from: another value means that a new worker differs. */
    public String template(AppSpec spec, Pool pool) {
        String text = serialization.asJson(pods(spec, pool, Optional.of(WrittenDuration.of(pool.idleAfter()))));
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    /** A worker on demand: a Job of one pod, which is never started again. */
    public Job worker(SeenApp app, AppSpec spec, Pool pool, Place place) {
        PodTemplateSpec pods = pods(spec, pool, Optional.of(WrittenDuration.of(pool.idleAfter())));
        pods.getSpec().setRestartPolicy("Never");
        Map<String, String> own = new TreeMap<>(own(app, pool, template(spec, pool)));
        own.put(Injected.ORDINAL, String.valueOf(place.ordinal()));
        own.put(Injected.NUMBER, String.valueOf(place.number()));
        pods.getMetadata().getLabels().putAll(own);
        return new JobBuilder()
                .withMetadata(owned(app, place.name(app.name(), pool.name()), own))
                .withNewSpec()
                .withBackoffLimit(0)
                .withTtlSecondsAfterFinished(SECONDS_AFTER_END)
                .withTemplate(pods)
                .endSpec()
                .build();
    }

    /** The workers that are always there. Kubernetes never keeps more of them than asked for, also while it replaces them. */
    public Deployment base(SeenApp app, AppSpec spec, Pool pool, int replicas) {
        PodTemplateSpec pods = pods(spec, pool, Optional.empty());
        Map<String, String> own = own(app, pool, template(spec, pool));
        Map<String, String> selected = Map.of(Injected.APP, app.name(), Injected.POOL, pool.name(), BASE, "true");
        pods.getMetadata().getLabels().putAll(own);
        pods.getMetadata().getLabels().put(BASE, "true");
        return new DeploymentBuilder()
                .withMetadata(owned(app, app.name() + "-" + pool.name(), own))
                .withNewSpec()
                .withReplicas(replicas)
                .withNewSelector()
                .withMatchLabels(selected)
                .endSelector()
                .withNewStrategy()
                .withType("RollingUpdate")
                .withNewRollingUpdate()
                .withNewMaxSurge(0)
                .withNewMaxUnavailable(1)
                .endRollingUpdate()
                .endStrategy()
                .withTemplate(pods)
                .endSpec()
                .build();
    }

    private static Map<String, String> own(SeenApp app, Pool pool, String template) {
        return Map.of(Injected.APP, app.name(), Injected.POOL, pool.name(), Injected.TEMPLATE, template);
    }

    /** With the labels of the resource, such as that of a queue. */
    private static ObjectMeta owned(SeenApp app, String name, Map<String, String> own) {
        Map<String, String> labels = new TreeMap<>(app.labels());
        labels.keySet().removeIf(label -> label.startsWith(Injected.LABELS));
        labels.putAll(own);
        return new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(app.identity().namespace())
                .withLabels(labels)
                .addNewOwnerReference()
                .withApiVersion(ElasticApps.API_VERSION)
                .withKind(ElasticApps.KIND)
                .withName(app.name())
                .withUid(app.identity().uid())
                .withController(true)
                .endOwnerReference()
                .build();
    }

    /** @param idleAfter for workers on demand; empty for those that are always there */
    private PodTemplateSpec pods(AppSpec spec, Pool pool, Optional<String> idleAfter) {
        PodTemplateSpec pods = new PodTemplateSpecBuilder(spec.template()).build();
        if (pods.getMetadata() == null) {
            pods.setMetadata(new ObjectMeta());
        }
        pods.getMetadata()
                .setLabels(new TreeMap<>(
                        Optional.ofNullable(pods.getMetadata().getLabels()).orElse(Map.of())));
        PodSpec pod = pods.getSpec();
        if (pod.getAutomountServiceAccountToken() == null) {
            pod.setAutomountServiceAccountToken(false);
        }
        Container worker = TemplateCheck.worker(pod.getContainers()).orElseThrow();
        pool.resources().ifPresent(worker::setResources);
        if (worker.getTerminationMessagePolicy() == null) {
            // The last lines of the log become part of the pod's state, which may be read without further rights.
            worker.setTerminationMessagePolicy("FallbackToLogsOnError");
        }
        worker.setEnv(Stream.concat(environment(spec, pool, idleAfter).stream(), worker.getEnv().stream())
                .toList());
        return pods;
    }

    /** A variable is only known to those behind it. */
    private List<EnvVar> environment(AppSpec spec, Pool pool, Optional<String> idleAfter) {
        List<EnvVar> all = new ArrayList<>();
        all.add(field(Injected.POD_IP, "status.podIP"));
        all.add(field(Injected.POD_NAME, "metadata.name"));
        all.add(value(Injected.INSTANCE_ID, "$(%s)@-@$(%s)".formatted(Injected.POD_IP, Injected.POD_NAME)));
        all.add(value(Injected.CONNECT_STRING, registry.connectString()));
        all.add(value(Injected.NAMESPACE, spec.registryNamespace()));
        registry.digest()
                .ifPresent(digest -> all.add(new EnvVarBuilder()
                        .withName(Injected.DIGEST)
                        .withNewValueFrom()
                        .withNewSecretKeyRef(digest.key(), digest.secret(), false)
                        .endValueFrom()
                        .build()));
        all.add(value(Injected.CAPACITY, String.valueOf(pool.capacity())));
        idleAfter.ifPresent(time -> {
            all.add(value(Injected.IDLE_AFTER, time));
            if (pool.freshWorkers()) {
                all.add(value(Injected.FRESH, "true"));
            }
        });
        if (pool.jobs().isEmpty()) {
            List<String> others = spec.pools().stream()
                    .flatMap(other -> other.jobs().stream())
                    .sorted()
                    .toList();
            if (!others.isEmpty()) {
                all.add(value(Injected.EXCEPT, String.join(",", others)));
            }
        } else {
            all.add(value(Injected.JOBS, String.join(",", pool.jobs())));
        }
        return all;
    }

    private static EnvVar value(String name, String value) {
        return new EnvVarBuilder().withName(name).withValue(value).build();
    }

    private static EnvVar field(String name, String path) {
        return new EnvVarBuilder()
                .withName(name)
                .withNewValueFrom()
                .withNewFieldRef(null, path)
                .endValueFrom()
                .build();
    }
}
