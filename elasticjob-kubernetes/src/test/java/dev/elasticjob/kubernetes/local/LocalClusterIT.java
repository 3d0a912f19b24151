package dev.elasticjob.kubernetes.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.kubernetes.Controller;
import dev.elasticjob.kubernetes.Controller.Place;
import dev.elasticjob.kubernetes.cluster.CrudServer;
import dev.elasticjob.kubernetes.cluster.RegistryAccess;
import dev.elasticjob.registry.curator.ClientOptions;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.ZooKeeperTestServer;
import dev.elasticjob.time.SystemTaskTimer;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Controllers on an API server, pods that are JVMs, and a real ZooKeeper. */
class LocalClusterIT {
    private final ZooKeeperTestServer zooKeeper = ZooKeeperTestServer.start();
    private final LocalCluster cluster = new LocalCluster();
    private final SystemTaskTimer timer = new SystemTaskTimer("test");
    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeEach
    void start() {
        cluster.start();
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        cluster.close();
        timer.close();
        zooKeeper.close();
    }

    @Test
    void fromZeroEachItemRunsOnceAndNoPodIsLeftThoughTwoControllersLead() {
        controller("one");
        controller("other");
        cluster.server.put("shop", spec("shop:1.4", "3s"));
        awaitEndOf(1);
        assertThat(condition("Ready")).isEqualTo("True Ready");
        cluster.happened.clear();

        admin().trigger("orders").toCompletableFuture().join();
        awaitEndOf(4);

        assertThat(lines("ended"))
                .containsExactlyInAnyOrder(
                        "item 0 ended",
                        "item 1 ended",
                        "item 2 ended",
                        "item 3 ended",
                        "item 4 ended",
                        "item 5 ended",
                        "item 6 ended",
                        "item 7 ended",
                        "item 8 ended",
                        "item 9 ended");
        assertThat(cluster.jobs())
                .extracting(job -> job.getMetadata().getName())
                .doesNotHaveDuplicates()
                .hasSize(4);
        assertThat(cluster.running()).isEmpty();
    }

    @Test
    void itemsOfAPodThatIsKilledAreTakenOverThoughTheControllerIsGone() {
        AutoCloseable controller = controller("one");
        cluster.server.put("shop", spec("shop:1.4", "8s"));
        await("the job", all -> condition("Ready").equals("True Ready"));
        admin().trigger("orders", RunRequest.withParameter("hold"))
                .toCompletableFuture()
                .join();
        // Without room at its owner, an item waits: so not all start at once.
        await("items on all workers", all -> podsOf("started").size() == 3);
        close(controller);
        String killed = podsOf("started").iterator().next();

        cluster.kill(killed);
        cluster.running().forEach(pod -> cluster.tell(pod, "go on"));

        await("all ends", all -> lines("ended").size() == 10);
        await("the last pod to leave", all -> cluster.running().isEmpty());
        assertThat(lines("ended")).hasSize(10).doesNotHaveDuplicates();
        assertThat(lines("started")).hasSizeGreaterThan(10);
    }

    @Test
    void anImageThatCanNotBePulledIsToldOnceAndTheNextOneStarts() {
        controller("one");
        cluster.server.put("shop", spec("missing:1.5", "3s"));
        await("the reason", all -> condition("WorkersBlocked").equals("True ImagePullBackOff"));
        await("an event", all -> warnings().contains("ImagePullBackOff"));
        assertThat(cluster.jobs()).hasSize(1);

        cluster.server.put("shop", spec("shop:1.5", "3s"));

        await("a worker of it", all -> condition("Ready").equals("True Ready"));
        assertThat(cluster.jobs())
                .singleElement()
                .matches(job -> job.getMetadata().getName().equals("shop-default-1-1"));
        await("no reason", all -> condition("WorkersBlocked").equals("False None"));
    }

    @Test
    void aPodWithoutANodeIsToldAndNotMultiplied() {
        cluster.setFull(true);
        controller("one");
        cluster.server.put("shop", spec("shop:1.4", "3s"));

        await("the reason", all -> condition("WorkersBlocked").equals("True Unschedulable"));

        assertThat(cluster.jobs()).hasSize(1);
    }

    @Test
    void aQuotaIsTold() {
        cluster.server.fail(request -> Optional.of(403)
                .filter(code -> request.method().name().equals("POST")
                        && request.getPath().contains("/jobs/jobs")));
        controller("one");
        cluster.server.put("shop", spec("shop:1.4", "3s"));

        await("the reason", all -> condition("WorkersBlocked").equals("True Refused"));

        assertThat(cluster.jobs()).isEmpty();
    }

    @Test
    void whatComesWhileTheApiServerFailsIsStartedForWhenItIsBack() {
        cluster.server.put("shop", spec("missing:1.4", "3s"));
        cluster.server.fail(request -> {
            boolean fails =
                    request.method() == HttpMethod.POST || request.getPath().contains("/elasticapps?");
            if (fails) {
                cluster.happened.add("failed");
            }
            return fails ? Optional.of(500) : Optional.empty();
        });
        controller("one");
        await("some tries", all -> all.stream().filter("failed"::equals).count() > 3);
        cluster.server.recover();

        await("a worker", all -> !cluster.jobs().isEmpty());
    }

    @Test
    void theWorkersOfADeletedApplicationEndAndItsJobsStay() {
        controller("one");
        cluster.server.put("shop", spec("shop:1.4", "3s"));
        await("the job", all -> condition("Ready").equals("True Ready"));

        cluster.server.app("shop").delete();

        await("no worker", all -> cluster.jobs().isEmpty() && cluster.running().isEmpty());
        assertThat(admin().definition("orders").toCompletableFuture().join().shardingTotalCount())
                .isEqualTo(10);
    }

    // ------------------------------------------------------------------ helpers

    private AutoCloseable controller(String lease) {
        KubernetesClient client = cluster.server.newClient();
        var controller = new Controller(
                client,
                new Place(CrudServer.NAMESPACE, lease, new RegistryAccess(zooKeeper.connectString(), Optional.empty())),
                namespace -> CuratorRegistry.connectToLook(
                        RegistrySettings.of(zooKeeper.connectString(), namespace), ClientOptions.none()),
                Clock.systemUTC());
        controller.start();
        AutoCloseable both = () -> {
            controller.close();
            client.close();
        };
        open.add(both);
        return both;
    }

    private void close(AutoCloseable one) {
        try {
            one.close();
            open.remove(one);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private JobAdmin admin() {
        var registry = CuratorRegistry.connect(RegistrySettings.of(zooKeeper.connectString(), "shop"));
        open.add(registry);
        return new RegistryJobAdmin(registry, new CommandLog(event -> {}, Actor.UNKNOWN, "test"), timer);
    }

    private void await(String what, Predicate<List<String>> wanted) {
        cluster.happened.await(what, wanted);
    }

    private void awaitEndOf(int workers) {
        await(
                "the end of " + workers + " workers",
                all -> cluster.jobs().size() == workers
                        && cluster.jobs().stream()
                                .allMatch(job -> job.getStatus() != null
                                        && !job.getStatus().getConditions().isEmpty()));
        await("the status", all -> String.valueOf(status().get("workers")).equals("0"));
    }

    private List<String> lines(String end) {
        return cluster.happened.all().stream()
                .filter(line -> line.contains(": item ") && line.endsWith(end))
                .map(line -> line.substring(line.indexOf(": ") + 2))
                .toList();
    }

    private Set<String> podsOf(String end) {
        return cluster.happened.all().stream()
                .filter(line -> line.contains(": item ") && line.endsWith(end))
                .map(line -> line.substring(0, line.indexOf(':')))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Map<String, Object> status() {
        var app = cluster.server.app("shop").get();
        return app != null && app.getAdditionalProperties().get("status") instanceof Map<?, ?> map
                ? cast(map)
                : Map.of();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> cast(Map<?, ?> map) {
        return (Map<String, Object>) map;
    }

    private String condition(String type) {
        return status().get("conditions") instanceof List<?> conditions
                ? conditions.stream()
                        .map(one -> cast((Map<?, ?>) one))
                        .filter(one -> type.equals(one.get("type")))
                        .map(one -> one.get("status") + " " + one.get("reason"))
                        .findFirst()
                        .orElse("")
                : "";
    }

    private List<String> warnings() {
        return cluster.server.client().v1().events().list().getItems().stream()
                .filter(event -> event.getType().equals("Warning"))
                .map(Event::getReason)
                .toList();
    }

    private static Map<String, Object> spec(String image, String idleAfter) {
        List<Map<String, String>> environment = List.of(
                Map.of("name", "ELASTICJOB_REGISTRY_SESSIONTIMEOUT", "value", "3s"),
                Map.of("name", "ELASTICJOB_REGISTRY_SERVERTICK", "value", "500ms"));
        return Map.of(
                "pools",
                List.of(Map.of(
                        "name", "default", "maxWorkers", 3, "capacity", 4, "startAhead", "1s", "idleAfter", idleAfter)),
                "template",
                Map.of(
                        "spec",
                        Map.of("containers", List.of(Map.of("name", "app", "image", image, "env", environment)))));
    }
}
