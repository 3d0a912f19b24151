package dev.elasticjob.kubernetes.local;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.app.AppNodes;
import dev.elasticjob.admin.app.AppReport;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.kubernetes.Controller;
import dev.elasticjob.kubernetes.Controller.Place;
import dev.elasticjob.kubernetes.cluster.CrudServer;
import dev.elasticjob.kubernetes.cluster.RegistryAccess;
import dev.elasticjob.kubernetes.registry.RegistryConnections;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.curator.ClientOptions;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.ZooKeeperTestServer;
import dev.elasticjob.time.SystemTaskTimer;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The application {@code shop} on a {@link LocalCluster} and a real ZooKeeper, and what tests ask of them. */
final class LocalShop implements BeforeEachCallback, AfterEachCallback {
    final ZooKeeperTestServer zooKeeper = ZooKeeperTestServer.start();
    final LocalCluster cluster = new LocalCluster();

    private final SystemTaskTimer timer = new SystemTaskTimer("test");
    private final List<AutoCloseable> open = new ArrayList<>();

    @Override
    public void beforeEach(ExtensionContext context) {
        cluster.start();
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        cluster.close();
        told.shutdownNow();
        timer.close();
        zooKeeper.close();
    }

    private final ExecutorService told = Executors.newSingleThreadExecutor();
    private @Nullable Registry looking;

    AutoCloseable controller(String lease) {
        return controller(lease, zooKeeper.connectString());
    }

    AutoCloseable controller(String lease, String connectString) {
        return controller(
                lease,
                connectString,
                namespace -> RegistryConnections.connect(
                        RegistrySettings.of(connectString, namespace), ClientOptions.none()));
    }

    AutoCloseable controller(String lease, String connectString, Function<String, Registry> connecting) {
        KubernetesClient client = cluster.server.newClient();
        var controller = new Controller(
                client,
                new Place(CrudServer.NAMESPACE, lease, new RegistryAccess(connectString, Optional.empty())),
                connecting,
                new SimpleMeterRegistry(),
                Clock.systemUTC());
        controller.start();
        AutoCloseable both = () -> {
            controller.close();
            client.close();
        };
        open.add(both);
        return both;
    }

    void close(AutoCloseable one) {
        try {
            one.close();
            open.remove(one);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    JobAdmin admin() {
        var registry = CuratorRegistry.connect(RegistrySettings.of(zooKeeper.connectString(), "shop"));
        open.add(registry);
        return new RegistryJobAdmin(registry, new CommandLog(event -> {}, Actor.UNKNOWN, "test"), timer);
    }

    /** What people are shown of the application, in its registry. */
    Optional<AppReport> shown() {
        return new AppNodes(looking()).find("jobs.shop").toCompletableFuture().join();
    }

    private Registry looking() {
        if (looking == null) {
            looking = CuratorRegistry.connectToLook(
                    RegistrySettings.of(zooKeeper.connectString(), "shop"), ClientOptions.none());
            open.add(looking);
            // Elsewhere: whoever waits for what has happened may be reading from the registry just now.
            looking.watch(JobTree.apps(), WatchScope.SUBTREE, () -> told.execute(() -> cluster.happened.add("shown")));
        }
        return looking;
    }

    void await(String what, Predicate<List<String>> wanted) {
        cluster.happened.await(what, wanted);
    }

    void awaitEndOf(int workers) {
        await(
                "the end of " + workers + " workers",
                all -> jobs().size() == workers && unfinished().isEmpty());
        await(
                "the status",
                all -> String.valueOf(cluster.status("shop").get("workers")).equals("0"));
    }

    /** The names of all workers that were asked for. */
    Set<String> jobs() {
        return names(cluster.jobs());
    }

    /** Those of them that have not ended. */
    Set<String> unfinished() {
        return names(cluster.jobs().stream()
                .filter(job -> job.getStatus() == null
                        || job.getStatus().getConditions().isEmpty())
                .toList());
    }

    private static Set<String> names(List<Job> jobs) {
        return jobs.stream().map(job -> job.getMetadata().getName()).collect(Collectors.toCollection(TreeSet::new));
    }

    List<String> lines(String end) {
        return cluster.happened.all().stream()
                .filter(line -> line.contains(": item ") && line.endsWith(end))
                .map(line -> line.substring(line.indexOf(": ") + 2))
                .toList();
    }

    Set<String> podsOf(String end) {
        return cluster.happened.all().stream()
                .filter(line -> line.contains(": item ") && line.endsWith(end))
                .map(line -> line.substring(0, line.indexOf(':')))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    String condition(String type) {
        return cluster.condition("shop", type);
    }

    List<String> warnings() {
        return cluster.server.client().v1().events().list().getItems().stream()
                .filter(event -> event.getType().equals("Warning"))
                .map(Event::getReason)
                .toList();
    }

    static Map<String, Object> spec(String image, String idleAfter) {
        return spec(image, idleAfter, "3s");
    }

    static Map<String, Object> spec(String image, String idleAfter, String sessionTimeout) {
        List<Map<String, String>> environment = List.of(
                Map.of("name", "ELASTICJOB_REGISTRY_SESSIONTIMEOUT", "value", sessionTimeout),
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
