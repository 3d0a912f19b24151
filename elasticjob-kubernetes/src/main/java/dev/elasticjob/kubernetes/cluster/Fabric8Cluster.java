package dev.elasticjob.kubernetes.cluster;

import dev.elasticjob.kubernetes.app.Injected;
import dev.elasticjob.registry.Subscription;
import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One namespace of a cluster through fabric8's client. It reads from the client's caches, which watches keep up to date;
 * after a cut, the client lists again. Doesn't close the client.
 */
public final class Fabric8Cluster implements Cluster, AutoCloseable {
    private static final String BY_APP = "app";
    private static final int UNPROCESSABLE = 422;
    private static final int LONGEST_MESSAGE = 1_000;

    private final KubernetesClient client;
    private final String namespace;
    private final Clock clock;
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private final Informed informed;
    /** Written once, by a thread of the client. */
    private volatile boolean isListed;

    /** The client's caches. */
    private record Informed(
            SharedIndexInformer<GenericKubernetesResource> apps,
            SharedIndexInformer<Job> jobs,
            SharedIndexInformer<Deployment> deployments,
            SharedIndexInformer<Pod> pods) {
        List<SharedIndexInformer<?>> all() {
            return List.of(apps, jobs, deployments, pods);
        }
    }

    /** @param clock of events */
    public Fabric8Cluster(KubernetesClient client, String namespace, Clock clock) {
        this.client = client;
        this.namespace = namespace;
        this.clock = clock;
        this.informed = new Informed(
                client.genericKubernetesResources(ElasticApps.CONTEXT)
                        .inNamespace(namespace)
                        .runnableInformer(0),
                client.batch()
                        .v1()
                        .jobs()
                        .inNamespace(namespace)
                        .withLabel(Injected.APP)
                        .runnableInformer(0),
                client.apps()
                        .deployments()
                        .inNamespace(namespace)
                        .withLabel(Injected.APP)
                        .runnableInformer(0),
                client.pods().inNamespace(namespace).withLabel(Injected.APP).runnableInformer(0));
        informed.apps().addEventHandler(telling(app -> app.getMetadata().getName()));
        prepare(informed.jobs());
        prepare(informed.deployments());
        prepare(informed.pods());
    }

    private <T extends HasMetadata> void prepare(SharedIndexInformer<T> informer) {
        informer.addIndexers(Map.of(BY_APP, object -> List.of(appOf(object))));
        informer.addEventHandler(telling(Fabric8Cluster::appOf));
    }

    private static String appOf(HasMetadata object) {
        return object.getMetadata().getLabels().getOrDefault(Injected.APP, "");
    }

    private <T> ResourceEventHandler<T> telling(Function<T, String> app) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T added) {
                tell(app.apply(added));
            }

            @Override
            public void onUpdate(T before, T after) {
                tell(app.apply(after));
            }

            @Override
            public void onDelete(T deleted, boolean unknown) {
                tell(app.apply(deleted));
            }
        };
    }

    private void tell(String app) {
        listeners.forEach(listener -> listener.accept(app));
    }

    /** Begins to list and to watch, and tries again until it succeeds. Doesn't wait. */
    public void start() {
        // A list that fails is repeated, whatever the reason: the definition may be installed later than this.
        CompletableFuture<?>[] listed = informed.all().stream()
                .map(informer -> informer.exceptionHandler((started, failure) -> true)
                        .start()
                        .toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        // What was told before that could not be read yet.
        CompletableFuture.allOf(listed).thenRun(() -> {
            isListed = true;
            apps().forEach(this::tell);
        });
    }

    /** Whether all has been listed once; until then, nothing can be decided. */
    public boolean isListed() {
        return isListed;
    }

    @Override
    public Set<String> apps() {
        requireListed();
        Set<String> names = new TreeSet<>();
        informed.apps()
                .getStore()
                .list()
                .forEach(app -> names.add(app.getMetadata().getName()));
        return names;
    }

    private void requireListed() {
        if (!isListed) {
            throw new ClusterUnavailableException(
                    "The API server has not listed all resources yet; nothing is started until it has");
        }
    }

    @Override
    public Optional<SeenApp> app(String name) {
        requireListed();
        return Optional.ofNullable(informed.apps().getStore().getByKey(namespace + "/" + name))
                .filter(app -> app.getMetadata().getDeletionTimestamp() == null)
                .map(this::seen);
    }

    private SeenApp seen(GenericKubernetesResource app) {
        String name = app.getMetadata().getName();
        List<Pod> pods = of(informed.pods(), name);
        return new SeenApp(
                new SeenApp.Identity(
                        namespace,
                        name,
                        String.valueOf(app.getMetadata().getUid()),
                        Optional.ofNullable(app.getMetadata().getGeneration()).orElse(0L)),
                Optional.ofNullable(app.getMetadata().getLabels()).orElse(Map.of()),
                part(app, "spec"),
                part(app, "status"),
                SeenWorkers.onDemand(of(informed.jobs(), name), pods),
                SeenWorkers.bases(of(informed.deployments(), name), pods));
    }

    private static <T> List<T> of(SharedIndexInformer<T> informer, String app) {
        return informer.getIndexer().byIndex(BY_APP, app);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> part(GenericKubernetesResource app, String name) {
        return app.getAdditionalProperties().get(name) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }

    @Override
    public Subscription watch(Consumer<String> changed) {
        listeners.add(changed);
        return () -> listeners.remove(changed);
    }

    @Override
    public boolean create(Job worker) {
        String name = worker.getMetadata().getName();
        var jobs = client.batch().v1().jobs().inNamespace(namespace);
        boolean created = asking(
                        "create worker " + name,
                        HttpURLConnection.HTTP_CONFLICT,
                        () -> jobs.resource(worker).create())
                .isPresent();
        if (!created) {
            requireOurs(
                    worker,
                    asking(
                            "read worker " + name,
                            HttpURLConnection.HTTP_NOT_FOUND,
                            () -> jobs.withName(name).get()));
        }
        return created;
    }

    /** A conflict may also be that of a quota, or of something that others have made. */
    private static void requireOurs(HasMetadata wanted, Optional<? extends HasMetadata> found) {
        String name = wanted.getMetadata().getName();
        HasMetadata there = found.orElseThrow(() -> new ClusterUnavailableException(
                "The API server answers that %s \"%s\" conflicts, but there is none; it is tried again"
                        .formatted(wanted.getKind(), name)));
        if (!owner(there).containsAll(owner(wanted)) || !pool(there).equals(pool(wanted))) {
            throw new ClusterRefusedException(
                    "NameTaken",
                    "%s \"%s\" is there, but doesn't belong to pool \"%s\" of this ElasticApp. Delete it, or rename the pool"
                            .formatted(wanted.getKind(), name, pool(wanted)));
        }
    }

    private static List<String> owner(HasMetadata object) {
        return object.getMetadata().getOwnerReferences().stream()
                .map(OwnerReference::getUid)
                .toList();
    }

    private static String pool(HasMetadata object) {
        return Optional.ofNullable(object.getMetadata().getLabels())
                .map(labels -> labels.get(Injected.POOL))
                .orElse("");
    }

    @Override
    public void delete(String worker) {
        Job seen = informed.jobs().getStore().getByKey(namespace + "/" + worker);
        if (seen == null) {
            return;
        }
        DeleteOptions onlyThis = new DeleteOptionsBuilder()
                .withPropagationPolicy("Background")
                .withNewPreconditions()
                .withUid(seen.getMetadata().getUid())
                .endPreconditions()
                .build();
        asking(
                "delete worker " + worker,
                HttpURLConnection.HTTP_NOT_FOUND,
                () -> client.raw(
                        "/apis/batch/v1/namespaces/%s/jobs/%s".formatted(namespace, worker), "DELETE", onlyThis));
    }

    @Override
    public void apply(Deployment base) {
        String name = base.getMetadata().getName();
        Resource<Deployment> known =
                client.apps().deployments().inNamespace(namespace).resource(base);
        boolean created = asking("create deployment " + name, HttpURLConnection.HTTP_CONFLICT, known::create)
                .isPresent();
        if (!created) {
            Resource<Deployment> present =
                    client.apps().deployments().inNamespace(namespace).withName(name);
            requireOurs(base, asking("read deployment " + name, HttpURLConnection.HTTP_NOT_FOUND, present::get));
            asking(
                    "change deployment " + name,
                    HttpURLConnection.HTTP_NOT_FOUND,
                    () -> present.patch(PatchContext.of(PatchType.JSON), changes(base)));
        }
    }

    @Override
    public void stopBase(SeenApp app, String pool) {
        informed.deployments().getIndexer().byIndex(BY_APP, app.name()).stream()
                .filter(base -> pool(base).equals(pool))
                .filter(base -> owner(base).contains(app.identity().uid()))
                .map(base -> base.getMetadata().getName())
                .forEach(name -> asking(
                        "stop deployment " + name,
                        HttpURLConnection.HTTP_NOT_FOUND,
                        () -> client.apps()
                                .deployments()
                                .inNamespace(namespace)
                                .withName(name)
                                .patch(
                                        PatchContext.of(PatchType.JSON),
                                        "[{\"op\":\"add\",\"path\":\"/spec/replicas\",\"value\":0}]")));
    }

    /** Each part as a whole: what isn't there any more has to go. */
    private String changes(Deployment base) {
        List<Map<String, Object>> steps = new ArrayList<>();
        steps.add(Map.of(
                "op",
                "add",
                "path",
                "/metadata/labels",
                "value",
                base.getMetadata().getLabels()));
        steps.add(Map.of(
                "op", "add", "path", "/spec/replicas", "value", base.getSpec().getReplicas()));
        steps.add(Map.of(
                "op", "add", "path", "/spec/template", "value", base.getSpec().getTemplate()));
        return client.getKubernetesSerialization().asJson(steps);
    }

    @Override
    public void writeStatus(String app, Map<String, Object> status) {
        asking(
                "write the status of " + app,
                HttpURLConnection.HTTP_NOT_FOUND,
                () -> client.genericKubernetesResources(ElasticApps.CONTEXT)
                        .inNamespace(namespace)
                        .withName(app)
                        .subresource("status")
                        .patch(
                                PatchContext.of(PatchType.JSON),
                                client.getKubernetesSerialization()
                                        .asJson(List.of(Map.of("op", "add", "path", "/status", "value", status)))));
    }

    @Override
    public void emit(SeenApp app, Notice notice) {
        String now = clock.instant().toString();
        asking(
                "emit an event of " + app.name(),
                HttpURLConnection.HTTP_CONFLICT,
                () -> client.v1()
                        .events()
                        .inNamespace(namespace)
                        .resource(new EventBuilder()
                                .withNewMetadata()
                                .withName("%s.%x".formatted(app.name(), System.nanoTime()))
                                .withNamespace(namespace)
                                .endMetadata()
                                .withNewInvolvedObject()
                                .withApiVersion(ElasticApps.API_VERSION)
                                .withKind(ElasticApps.KIND)
                                .withNamespace(namespace)
                                .withName(app.name())
                                .withUid(app.identity().uid())
                                .endInvolvedObject()
                                .withType(notice.warning() ? "Warning" : "Normal")
                                .withReason(notice.reason())
                                .withMessage(shortened(notice.message()))
                                .withCount(1)
                                .withFirstTimestamp(now)
                                .withLastTimestamp(now)
                                .withNewSource("elasticjob", null)
                                .build())
                        .create());
    }

    /** An event's message has at most 1,024 bytes on the API server. */
    private static String shortened(String message) {
        return message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE) + "…";
    }

    /** @return empty if the answer was the expected one */
    private static <T> Optional<T> asking(String what, int expected, Supplier<@Nullable T> request) {
        try {
            return Optional.ofNullable(request.get());
        } catch (KubernetesClientException e) {
            if (e.getCode() == expected) {
                return Optional.empty();
            }
            String message = "The API server doesn't %s: %s".formatted(what, e.getMessage());
            if (Stream.of(HttpURLConnection.HTTP_BAD_REQUEST, HttpURLConnection.HTTP_FORBIDDEN, UNPROCESSABLE)
                    .anyMatch(code -> code == e.getCode())) {
                throw new ClusterRefusedException(message, e);
            }
            throw new ClusterUnavailableException(message, e);
        }
    }

    /** Ends the watches. */
    @Override
    public void close() {
        informed.all().forEach(SharedIndexInformer::close);
    }
}
