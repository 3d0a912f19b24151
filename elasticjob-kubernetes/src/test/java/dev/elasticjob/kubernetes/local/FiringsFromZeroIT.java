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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Run after run, each from no pod at all, with ten items. The property {@code kubernetes.firings} says how many, 20 by default;
 * {@code target/firings-from-zero.txt} has what was measured.
 */
@Tag("proof")
class FiringsFromZeroIT {
    private static final int FIRINGS = Integer.getInteger("kubernetes.firings", 20);
    private static final List<String> ITEMS =
            IntStream.range(0, 10).mapToObj("item %d"::formatted).toList();
    /** As {@code docs/guarantees.md} promises. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    private static final Duration BETWEEN_KILLS = Duration.ofSeconds(20);

    @RegisterExtension
    final LocalShop shop = new LocalShop();

    private final LocalCluster cluster = shop.cluster;
    private final Heard<String> leading = new Heard<>();
    private final Map<String, ChildJvm> controllers = new ConcurrentHashMap<>();

    @AfterEach
    void end() {
        controllers.values().forEach(ChildJvm::close);
    }

    @Test
    void eachItemOfEachFiringRunsOnceAndNoPodIsLeft() throws IOException {
        shop.controller("lease");
        shop.controller("lease");
        JobAdmin admin = introduced("30s");
        List<Duration> untilAsked = new ArrayList<>();
        List<Duration> untilBegun = new ArrayList<>();

        for (int firing = 0; firing < FIRINGS; firing++) {
            Set<String> before = shop.jobs();
            cluster.happened.clear();
            long begin = System.nanoTime();
            admin.trigger("orders").toCompletableFuture().join();
            shop.await("a worker", all -> !before.containsAll(shop.jobs()));
            long asked = System.nanoTime();
            shop.await("an item", all -> !shop.lines("started").isEmpty());
            untilAsked.add(Duration.ofNanos(asked - begin));
            untilBegun.add(Duration.ofNanos(System.nanoTime() - asked));
            shop.await("all items", all -> shop.lines("ended").size() == ITEMS.size());
            awaitZero();

            assertThat(started()).containsExactlyInAnyOrderElementsOf(ITEMS);
            assertThat(ended()).containsExactlyInAnyOrderElementsOf(ITEMS);
        }

        assertThat(median(untilAsked)).as("what is open waits for its worker").isLessThan(LONGEST_WAIT);
        measured("until a worker was asked for", untilAsked);
        measured("from then until an item began", untilBegun);
        assertThat(median(untilAsked))
                .as("the controller takes less time than a pod")
                .isLessThan(median(untilBegun));
    }

    @Test
    void nothingIsLostOrDoubledThoughPodsAndControllersAreKilled() throws IOException {
        controllerOfItsOwn();
        controllerOfItsOwn();
        JobAdmin admin = introduced("6s");
        long lastKill = System.nanoTime();
        int killed = 0;

        for (int firing = 0; firing < FIRINGS; firing++) {
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
            shop.await("all items", all -> shop.lines("ended").size() >= ITEMS.size());
            awaitZero();
            cluster.tellNobody();

            assertThat(ended()).containsExactlyInAnyOrderElementsOf(ITEMS);
            assertThat(ofPod(pod, "ended")).isEmpty();
            assertThat(startedBesides(pod))
                    .as("begun by others than %s", pod)
                    .containsExactlyInAnyOrderElementsOf(ITEMS);
            assertThat(besides)
                    .as("executed beside %s", pod)
                    .isNotEmpty()
                    .doesNotContainAnyElementsOf(ofPod(pod, "started"));
        }
        write("%d firings, in each of which a pod was killed, and %d controllers that led\n"
                .formatted(FIRINGS, killed));
    }

    // ------------------------------------------------------------------ helpers

    /** The job is known, and no pod is there. */
    private JobAdmin introduced(String sessionTimeout) {
        cluster.server.put("shop", LocalShop.spec("shop:1.4", "1s", sessionTimeout));
        shop.await("the job", all -> shop.condition("Ready").equals("True Ready"));
        awaitZero();
        return shop.admin();
    }

    private void awaitZero() {
        shop.await(
                "no pod",
                all -> cluster.running().isEmpty() && shop.unfinished().isEmpty());
    }

    private List<String> started() {
        return items("started");
    }

    private List<String> ended() {
        return items("ended");
    }

    private List<String> items(String end) {
        return shop.lines(end).stream()
                .map(line -> line.substring(0, line.length() - end.length() - 1))
                .toList();
    }

    private List<String> startedBesides(String pod) {
        List<String> begun = new ArrayList<>(started());
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

    // ------------------------------------------------------------------ what was measured

    private static Duration median(List<Duration> all) {
        return all.stream().sorted().skip(all.size() / 2).findFirst().orElseThrow();
    }

    private static void measured(String what, List<Duration> all) throws IOException {
        write("%s: median %d ms, at most %d ms, of %d firings\n"
                .formatted(
                        what,
                        median(all).toMillis(),
                        all.stream()
                                .max(Comparator.naturalOrder())
                                .orElseThrow()
                                .toMillis(),
                        all.size()));
    }

    private static void write(String line) throws IOException {
        Path file = Path.of("target", "firings-from-zero.txt");
        Files.writeString(file, (Files.exists(file) ? Files.readString(file) : "") + line);
    }
}
