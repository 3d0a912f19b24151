package dev.elasticjob.kubernetes.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.kubernetes.KubernetesApplication;
import dev.elasticjob.kubernetes.cluster.CrudServer;
import dev.elasticjob.testing.ChildJvm;
import dev.elasticjob.testing.Heard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * {@link Firings}, in each of which a pod is killed, and every 20 seconds the controller that leads; {@code
 * target/killed-pods.txt} has how many were.
 */
@Tag("proof")
class KilledPodsIT {
    private static final Duration BETWEEN_KILLS = Duration.ofSeconds(20);

    @RegisterExtension
    final LocalShop shop = new LocalShop();

    private final LocalCluster cluster = shop.cluster;
    private final Firings firings = new Firings(shop);
    private final Heard<String> leading = new Heard<>();
    private final Map<String, ChildJvm> controllers = new ConcurrentHashMap<>();

    @AfterEach
    void end() {
        controllers.values().forEach(ChildJvm::close);
    }

    @Test
    void nothingIsLostOrDoubledThoughPodsAndControllersAreKilled() throws IOException {
        controllerOfItsOwn();
        controllerOfItsOwn();
        JobAdmin admin = firings.introduced("6s");
        long lastKill = System.nanoTime();
        int killed = 0;

        for (int firing = 0; firing < Firings.COUNT; firing++) {
            cluster.happened.clear();
            admin.trigger("orders", RunRequest.withParameter("hold"))
                    .toCompletableFuture()
                    .join();
            if (firing == 0 || System.nanoTime() - lastKill > BETWEEN_KILLS.toNanos()) {
                killLeader();
                killed++;
                lastKill = System.nanoTime();
            }
            // Each has room for four of the ten items, and all items are held: so each of the three gets some.
            shop.await("items on all pods", all -> shop.podsOf("started").size() == 3);
            String pod = shop.podsOf("started").iterator().next();
            cluster.kill(pod);
            List<String> besides = startedBesides(pod);
            cluster.tellAll("go on");
            shop.await("all items", all -> firings.ended().size() >= Firings.ITEMS.size());
            firings.awaitZero();
            cluster.tellNobody();

            assertThat(firings.ended()).containsExactlyInAnyOrderElementsOf(Firings.ITEMS);
            assertThat(ofPod(pod, "ended")).isEmpty();
            assertThat(startedBesides(pod))
                    .as("begun by others than %s", pod)
                    .containsExactlyInAnyOrderElementsOf(Firings.ITEMS);
            assertThat(besides)
                    .as("executed beside %s", pod)
                    .isNotEmpty()
                    .doesNotContainAnyElementsOf(ofPod(pod, "started"));
        }
        Files.writeString(
                Path.of("target", "killed-pods.txt"),
                "%d firings, in each of which a pod was killed, and %d controllers that led\n"
                        .formatted(Firings.COUNT, killed));
    }

    // ------------------------------------------------------------------ helpers

    private List<String> startedBesides(String pod) {
        List<String> begun = new ArrayList<>(firings.started());
        ofPod(pod, "started").forEach(begun::remove);
        return begun;
    }

    private List<String> ofPod(String pod, String end) {
        return cluster.happened.all().stream()
                .filter(line -> line.startsWith(pod + ": item ") && line.endsWith(end))
                .map(line -> line.substring(pod.length() + 2, line.length() - end.length() - 1))
                .toList();
    }

    // ------------------------------------------------------------------ controllers that can be killed

    private void controllerOfItsOwn() {
        String name = "controller-" + controllers.size();
        controllers.put(
                name,
                ChildJvm.start(
                        name,
                        line -> {
                            if (line.contains("leads now")) {
                                leading.add(name);
                            }
                        },
                        LocalCluster.OPTIONS,
                        KubernetesApplication.class,
                        List.of(
                                // The workers' own is on the class path.
                                "--elasticjob.enabled=false",
                                "--server.port=0",
                                "--logging.level.dev.elasticjob.kubernetes=info",
                                "--elasticjob.registry.connect-string=" + shop.zooKeeper.connectString(),
                                "--elasticjob.kubernetes.namespace=" + CrudServer.NAMESPACE),
                        Map.of("KUBERNETES_MASTER", cluster.server.url(), "KUBERNETES_AUTH_TRYKUBECONFIG", "false")));
    }

    /** The other one takes over, and a new one stands by. */
    private void killLeader() {
        leading.await(
                "a leader",
                all -> !all.isEmpty()
                        && controllers.get(all.get(all.size() - 1)).isAlive());
        List<String> all = leading.all();
        controllers.get(all.get(all.size() - 1)).kill();
        controllerOfItsOwn();
    }
}
