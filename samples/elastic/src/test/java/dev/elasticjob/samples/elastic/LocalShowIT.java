package dev.elasticjob.samples.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.JobReport.ItemReport;
import dev.elasticjob.admin.RegistryJobInspector;
import dev.elasticjob.registry.curator.ClientOptions;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.ChildJvm;
import dev.elasticjob.time.SystemTaskTimer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The show as users start it. What has come of it is asked for from outside, of the registry and the API server. */
class LocalShowIT {
    private static final String ASKS = "Press Enter";

    private final ChildJvm show =
            ChildJvm.start("show", line -> {}, List.of("-Xmx256m"), LocalShow.class, List.of("--stay", "--any-port"));
    private final SystemTaskTimer timer = new SystemTaskTimer("test");

    @AfterEach
    void end() {
        show.close();
        timer.close();
    }

    @Test
    void eachItemRunsOnceThoughAPodIsKilledAndNoPodIsLeft() throws Exception {
        show.await("no pod at the beginning", line -> line.contains("0 pods: the first one has introduced the job"));
        assertThat(status(said("Console: (\\S+)/elasticjob/"))).isEqualTo(200);
        show.await("five pods", line -> line.contains("5 pods work."));
        String killed = said("pods work. (\\S+) has been killed");
        List<Integer> lost = Stream.of(
                        said("while it executed items \\[(.+)\\]").split(", "))
                .map(Integer::valueOf)
                .toList();
        show.await("all items", line -> line.contains("0 pods. Each of the 10 items is done, once"));
        show.await("the question", line -> line.contains(ASKS));

        try (var registry = CuratorRegistry.connectToLook(
                RegistrySettings.of(said("ZooKeeper: (\\S+)"), "billing"), ClientOptions.none())) {
            assertItemsAreDone(
                    new RegistryJobInspector(
                            registry, Clock.systemUTC(), timer, Clock.systemUTC()::instant, TreeMap::new),
                    lost);
        }
        assertNoPodIsLeft(said("API server: (\\S+)"), killed);
        show.tell("");
        assertThat(show.awaitExit()).isZero();
    }

    private String said(String pattern) {
        return show.printed().all().stream()
                .flatMap(line -> Pattern.compile(pattern).matcher(line).results())
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow();
    }

    private static int status(String address) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(address + "/login")).build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static void assertItemsAreDone(JobInspector inspector, List<Integer> lost) {
        List<ItemReport> items = inspector
                .job("invoices")
                .toCompletableFuture()
                .join()
                .orElseThrow()
                .items();
        assertThat(items)
                .extracting(ItemReport::item)
                .containsExactlyElementsOf(IntStream.range(0, 10).boxed().toList());
        assertThat(items).allSatisfy(item -> {
            assertThat(item.running()).isFalse();
            assertThat(item.waitingRuns()).isEmpty();
            assertThat(item.owes()).isEmpty();
            assertThat(item.itemRecord().state()).hasToString("COMPLETED");
        });
        // One attempt more for each item of the pod that was killed, and none for another.
        assertThat(items)
                .allSatisfy(
                        item -> assertThat(item.itemRecord().attempt()).isEqualTo(lost.contains(item.item()) ? 2 : 1));
    }

    private static void assertNoPodIsLeft(String apiServer, String killed) {
        try (KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withMasterUrl(apiServer)
                        .withNamespace("jobs")
                        .build())
                .build()) {
            List<Pod> pods = client.pods().list().getItems();
            assertThat(pods).allSatisfy(pod -> {
                assertThat(pod.getStatus().getPhase()).isEqualTo(isNamed(pod, killed) ? "Failed" : "Succeeded");
                assertThat(pod.getMetadata().getAnnotations())
                        .containsAllEntriesOf(Map.of("cluster-autoscaler.kubernetes.io/safe-to-evict", "false"));
                assertThat(pod.getSpec().getPriorityClassName()).isEqualTo("billing");
            });
            // One to introduce the job, five for its items, and perhaps one in the place of the one that was killed.
            assertThat(pods).hasSizeBetween(6, 7);
            var budget = client.policy()
                    .v1()
                    .podDisruptionBudget()
                    .withName("billing")
                    .get();
            assertThat(pods)
                    .allSatisfy(pod -> assertThat(pod.getMetadata().getLabels())
                            .containsAllEntriesOf(budget.getSpec().getSelector().getMatchLabels()));
        }
    }

    private static boolean isNamed(Pod pod, String name) {
        return pod.getMetadata().getName().equals(name);
    }
}
