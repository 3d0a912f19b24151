package dev.elasticjob.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.kubernetes.app.AppSpec;
import dev.elasticjob.kubernetes.app.ElasticAppCheck;
import dev.elasticjob.kubernetes.app.Pool;
import dev.elasticjob.kubernetes.plan.PoolPlan.Place;
import dev.elasticjob.kubernetes.plan.Worker;
import dev.elasticjob.kubernetes.plan.Worker.Phase;
import dev.elasticjob.testing.Heard;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The adapter on an API server that keeps what it is given. */
class Fabric8ClusterTest {
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
    private static final Map<String, Object> SPEC = Map.of(
            "pools", List.of(Map.of("name", "default", "maxWorkers", 20)),
            "template", Map.of("spec", Map.of("containers", List.of(Map.of("name", "app", "image", "shop:1.4")))));

    private final CrudServer server = new CrudServer();
    private final KubernetesClient client = server.newClient();
    private final Fabric8Cluster cluster = new Fabric8Cluster(client, CrudServer.NAMESPACE, Clock.systemUTC());
    private final WorkerObjects objects =
            new WorkerObjects(SERIALIZATION, new RegistryAccess("zookeeper:2181", Optional.empty()));
    private final Heard<String> changes = new Heard<>();

    @BeforeEach
    void watch() {
        cluster.watch(changes::add);
    }

    @AfterEach
    void end() {
        cluster.close();
        client.close();
        server.close();
    }

    @Test
    void beforeAllIsListedNothingIsTakenForAbsent() {
        assertThatThrownBy(() -> cluster.app("shop")).isInstanceOf(ClusterUnavailableException.class);
        assertThatThrownBy(cluster::apps).isInstanceOf(ClusterUnavailableException.class);
    }

    @Test
    void anApplicationIsSeenAsItWasApplied() {
        SeenApp app = shop();

        assertThat(app.labels()).containsEntry("kueue.x-k8s.io/queue-name", "batch");
        assertThat(check(app)).isNotNull();
        assertThat(cluster.apps()).containsExactly("shop");
        assertThat(cluster.app("other")).isEmpty();
    }

    @Test
    void aWorkerIsCreatedOnce() {
        SeenApp app = shop();
        Job worker = objects.worker(app, check(app), pool(app), new Place(3, 1));

        assertThat(cluster.create(worker)).isTrue();
        assertThat(cluster.create(worker)).isFalse();

        Worker seen = awaitApp(found -> !found.workers("default").isEmpty())
                .workers("default")
                .get(0);
        assertThat(seen.name()).isEqualTo("shop-default-3-1");
        assertThat(seen.ordinal()).isEqualTo(3);
        assertThat(seen.phase()).isEqualTo(Phase.PENDING);
        assertThat(seen.template()).isEqualTo(objects.template(check(app), pool(app)));
    }

    @Test
    void itsPodsAreSeenAndHoldItsPlaceAfterItWasDeleted() {
        SeenApp app = shop();
        Job worker = objects.worker(app, check(app), pool(app), new Place(0, 1));
        cluster.create(worker);
        server.client()
                .pods()
                .resource(new PodBuilder()
                        .withMetadata(worker.getSpec().getTemplate().getMetadata())
                        .editMetadata()
                        .withName("shop-default-0-1-abcde")
                        .withNamespace(CrudServer.NAMESPACE)
                        .addToLabels("batch.kubernetes.io/job-name", "shop-default-0-1")
                        .endMetadata()
                        .withNewStatus()
                        .withPhase("Running")
                        .addNewContainerStatus()
                        .withNewState()
                        .withNewRunning("2026-03-01T12:00:00Z")
                        .endState()
                        .endContainerStatus()
                        .endStatus()
                        .build())
                .create();
        Worker seen = awaitApp(found -> found.workers("default").stream().anyMatch(one -> one.phase() == Phase.RUNNING))
                .workers("default")
                .get(0);
        assertThat(seen.pods()).containsExactly("shop-default-0-1-abcde");
        assertThat(seen.started()).contains(Instant.parse("2026-03-01T12:00:00Z"));

        cluster.delete("shop-default-0-1");
        cluster.delete("shop-default-0-1");
        server.client()
                .pods()
                .withName("shop-default-0-1-abcde")
                .edit(pod -> new PodBuilder(pod)
                        .editMetadata()
                        .addToAnnotations("seen", "again")
                        .endMetadata()
                        .build());

        changes.await(
                "a change of the pod",
                all -> server.client().batch().v1().jobs().list().getItems().isEmpty());
        assertThat(awaitApp(found -> found.workers("default").size() == 1)
                        .workers("default")
                        .get(0)
                        .ordinal())
                .isZero();
    }

    @Test
    void theStatusIsReplacedWithoutTheSpec() {
        shop();
        Map<String, Object> status =
                new LinkedHashMap<>(Map.of("open", 3, "nextFiring", "2026-03-01T12:00:00Z", "jobs", List.of("orders")));
        cluster.writeStatus("shop", status);
        assertThat(awaitApp(found -> found.status().containsKey("nextFiring")).status())
                .containsEntry("open", 3);

        status.remove("nextFiring");
        status.put("jobs", List.of("bills"));
        cluster.writeStatus("shop", status);

        SeenApp app = awaitApp(found -> !found.status().containsKey("nextFiring"));
        assertThat(app.status()).containsEntry("open", 3).containsEntry("jobs", List.of("bills"));
        assertThat(check(app).pools()).hasSize(1);
        cluster.writeStatus("gone", status);
    }

    @Test
    void theWorkersThatAreAlwaysThereAreCreatedAndChanged() {
        SeenApp app = shop();
        cluster.apply(objects.base(app, check(app), pool(app), 2));
        assertThat(awaitApp(found -> found.base("default").replicas() == 2)
                        .base("default")
                        .template())
                .isEqualTo(objects.template(check(app), pool(app)));

        Map<String, Object> other = Map.of(
                "pools", SPEC.get("pools"),
                "template", Map.of("spec", Map.of("containers", List.of(Map.of("name", "app", "image", "shop:1.5")))));
        server.put("shop", other);
        SeenApp changed = awaitApp(found -> found.spec().equals(other));
        cluster.apply(objects.base(changed, check(changed), pool(changed), 1));

        assertThat(awaitApp(found -> found.base("default").replicas() == 1)
                        .base("default")
                        .template())
                .isEqualTo(objects.template(check(changed), pool(changed)));
        Deployment deployment =
                server.client().apps().deployments().withName("shop-default").get();
        assertThat(deployment
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getImage())
                .isEqualTo("shop:1.5");
    }

    @Test
    void aNameThatOthersHaveTakenIsRefused() {
        SeenApp app = shop();
        server.client()
                .batch()
                .v1()
                .jobs()
                .resource(new JobBuilder()
                        .withNewMetadata()
                        .withName("shop-default-0-1")
                        .endMetadata()
                        .build())
                .create();
        server.client()
                .apps()
                .deployments()
                .resource(new DeploymentBuilder()
                        .withNewMetadata()
                        .withName("shop-default")
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(7)
                        .endSpec()
                        .build())
                .create();

        assertThatThrownBy(() -> cluster.create(objects.worker(app, check(app), pool(app), new Place(0, 1))))
                .isInstanceOf(ClusterRefusedException.class)
                .hasMessageContaining("Job \"shop-default-0-1\" is there, but doesn't belong to pool \"default\"");
        assertThatThrownBy(() -> cluster.apply(objects.base(app, check(app), pool(app), 2)))
                .isInstanceOf(ClusterRefusedException.class)
                .hasMessageContaining("Deployment \"shop-default\"");
        assertThat(server.client()
                        .apps()
                        .deployments()
                        .withName("shop-default")
                        .get()
                        .getSpec()
                        .getReplicas())
                .isEqualTo(7);
    }

    @Test
    void aConflictWithoutAnObjectIsTriedAgain() {
        SeenApp app = shop();
        server.fail(request ->
                Optional.of(409).filter(code -> request.method().name().equals("POST")));

        assertThatThrownBy(() -> cluster.create(objects.worker(app, check(app), pool(app), new Place(0, 1))))
                .isInstanceOf(ClusterUnavailableException.class);
    }

    @Test
    void onlyTheWorkerThatWasSeenIsDeleted() {
        SeenApp app = shop();
        cluster.create(objects.worker(app, check(app), pool(app), new Place(0, 1)));
        awaitApp(found -> !found.workers("default").isEmpty());
        String uid = server.client()
                .batch()
                .v1()
                .jobs()
                .withName("shop-default-0-1")
                .get()
                .getMetadata()
                .getUid();
        var bodies = new Heard<String>();
        server.fail(request -> {
            if (request.method().name().equals("DELETE")) {
                bodies.add(request.getUtf8Body());
            }
            return Optional.empty();
        });

        cluster.delete("shop-default-0-1");

        bodies.await("a deletion with the uid", all -> all.get(0).contains(uid));
        assertThat(server.client().batch().v1().jobs().list().getItems()).isEmpty();
    }

    @Test
    void thePodsOfAPoolThatIsGoneAreEnded() {
        SeenApp app = shop();
        cluster.apply(objects.base(app, check(app), pool(app), 2));
        awaitApp(found -> found.base("default").replicas() == 2);

        cluster.stopBase(app, "default");

        awaitApp(found -> found.base("default").replicas() == 0);
    }

    @Test
    void anEventIsAboutTheApplication() {
        SeenApp app = shop();
        cluster.emit(app, new Cluster.Notice(true, "ImagePullBackOff", "x".repeat(3_000)));

        Event event = server.client().v1().events().list().getItems().get(0);
        assertThat(event.getType()).isEqualTo("Warning");
        assertThat(event.getInvolvedObject().getUid()).isEqualTo(app.identity().uid());
        assertThat(event.getMessage()).hasSizeLessThan(1_024);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 422})
    void whatIsNotAllowedIsRefused(int code) {
        SeenApp app = shop();
        server.fail(request ->
                Optional.of(code).filter(wanted -> request.method().name().equals("POST")));

        assertThatThrownBy(() -> cluster.create(objects.worker(app, check(app), pool(app), new Place(0, 1))))
                .isInstanceOf(ClusterRefusedException.class)
                .hasMessageContaining("create worker shop-default-0-1");
    }

    @ParameterizedTest
    @ValueSource(ints = {410, 429, 500, 503})
    void whatFailsIsUnavailable(int code) {
        SeenApp app = shop();
        server.fail(request ->
                Optional.of(code).filter(wanted -> request.method().name().equals("POST")));

        assertThatThrownBy(() -> cluster.create(objects.worker(app, check(app), pool(app), new Place(0, 1))))
                .isInstanceOf(ClusterUnavailableException.class);
    }

    private SeenApp shop() {
        server.put("shop", SPEC);
        cluster.start();
        return awaitApp(app -> true);
    }

    private SeenApp awaitApp(Predicate<SeenApp> wanted) {
        changes.await(
                "a change of the application", all -> seen().filter(wanted).isPresent());
        return seen().orElseThrow();
    }

    private Optional<SeenApp> seen() {
        try {
            return cluster.app("shop");
        } catch (ClusterUnavailableException notYet) {
            return Optional.empty();
        }
    }

    private static AppSpec check(SeenApp app) {
        return new ElasticAppCheck(SERIALIZATION)
                .check(app.name(), app.spec())
                .spec()
                .orElseThrow();
    }

    private static Pool pool(SeenApp app) {
        return check(app).pools().get(0);
    }
}
