package dev.elasticjob.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.CustomResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;

/** An API server that keeps what it is given, checks no schemas, and fails when a test wants it to. Safe for any thread. */
public final class CrudServer implements AutoCloseable {
    public static final String NAMESPACE = "jobs";

    private static final Logger QUIET = Logger.getLogger("io.fabric8.mockwebserver");

    private final KubernetesMockServer server;
    private final KubernetesClient client;
    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private volatile Function<RecordedRequest, Optional<Integer>> fault = request -> Optional.empty();

    static {
        // It logs each request.
        QUIET.setLevel(Level.WARNING);
    }

    public CrudServer() {
        var definition = new CustomResourceDefinitionContext.Builder()
                .withGroup(ElasticApps.GROUP)
                .withVersion(ElasticApps.VERSION)
                .withKind(ElasticApps.KIND)
                .withPlural("elasticapps")
                .withScope("Namespaced")
                .withStatusSubresource(true)
                .build();
        server = new KubernetesMockServer(
                new Context(), new MockWebServer(), new HashMap<>(), new Failing(List.of(definition)), false);
        server.init();
        client = newClient();
    }

    private final class Failing extends KubernetesCrudDispatcher {
        Failing(List<CustomResourceDefinitionContext> definitions) {
            super(definitions);
        }

        @Override
        public MockResponse dispatch(RecordedRequest request) {
            return fault.apply(request)
                    .map(code -> new MockResponse()
                            .setResponseCode(code)
                            .setBody(serialization.asJson(new StatusBuilder()
                                    .withStatus("Failure")
                                    .withCode(code)
                                    .withMessage("as the test wants")
                                    .build())))
                    .orElseGet(() -> super.dispatch(request));
        }
    }

    /** Requests for which the function has a code are answered with it. */
    public void fail(Function<RecordedRequest, Optional<Integer>> wanted) {
        fault = wanted;
    }

    public void recover() {
        fault = request -> Optional.empty();
    }

    /** For one controller: it may be closed. */
    public KubernetesClient newClient() {
        return server.createClient(builder -> builder.editOrNewConfig()
                .withNamespace(NAMESPACE)
                .withRequestRetryBackoffLimit(0)
                .withWatchReconnectInterval(100)
                .endConfig());
    }

    /** For clients in other processes. */
    public String url() {
        return server.url("/").toString();
    }

    /** Of the test itself. */
    public KubernetesClient client() {
        return client;
    }

    public void put(String app, Map<String, Object> spec) {
        Resource<GenericKubernetesResource> present = app(app);
        if (present.get() == null) {
            apps().resource(new GenericKubernetesResourceBuilder()
                            .withApiVersion(ElasticApps.API_VERSION)
                            .withKind(ElasticApps.KIND)
                            .withNewMetadata()
                            .withName(app)
                            .withNamespace(NAMESPACE)
                            .withUid(UUID.randomUUID().toString())
                            .addToLabels("kueue.x-k8s.io/queue-name", "batch")
                            .endMetadata()
                            .addToAdditionalProperties("spec", spec)
                            .build())
                    .create();
        } else {
            present.edit(known -> {
                known.setAdditionalProperty("spec", spec);
                return known;
            });
        }
    }

    public NonNamespaceOperation<
                    GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            apps() {
        return client.genericKubernetesResources(ElasticApps.CONTEXT).inNamespace(NAMESPACE);
    }

    public Resource<GenericKubernetesResource> app(String name) {
        return apps().withName(name);
    }

    @Override
    public void close() {
        client.close();
        try {
            server.destroy();
        } catch (IllegalStateException e) {
            // It waits for watches that are just being opened; they end with this JVM.
            QUIET.log(Level.WARNING, "The server has not ended in time", e);
        }
    }
}
