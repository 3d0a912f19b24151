package dev.elasticjob.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.kubernetes.cluster.CrudServer;
import dev.elasticjob.testing.ZooKeeperTestServer;
import dev.elasticjob.testing.prometheus.MonitoringContract;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.micrometer.metrics.autoconfigure.MeterRegistryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** The controller as it is started in a pod, with one application: its dashboard, its alerts, and its probes. */
class ScrapedControllerTest extends MonitoringContract {
    private static final Path GUIDE = Path.of("..", "docs", "guide", "kubernetes.md");
    private static final Pattern METER = Pattern.compile("`(elasticjob\\.kubernetes\\.[a-z.]+)`");

    private final ZooKeeperTestServer zooKeeper = ZooKeeperTestServer.start();
    private final CrudServer server = new CrudServer();
    private final CountDownLatch decided = new CountDownLatch(1);
    private ConfigurableApplicationContext controller;

    ScrapedControllerTest() {
        super("alerts-kubernetes.yml", "alerts-kubernetes-test.yml", "grafana-kubernetes.json");
    }

    @BeforeAll
    @Override
    protected void start() throws Exception {
        server.put(
                "shop",
                Map.of(
                        "pools",
                        List.of(Map.of("name", "default", "maxWorkers", 3)),
                        "template",
                        Map.of("spec", Map.of("containers", List.of(Map.of("name", "app", "image", "shop:1.4"))))));
        controller = new SpringApplicationBuilder(KubernetesApplication.class)
                .initializers(context -> {
                    GenericApplicationContext beans = (GenericApplicationContext) context;
                    beans.registerBean(
                            "played", KubernetesClient.class, server::newClient, bean -> bean.setPrimary(true));
                    beans.registerBean(MeterRegistryCustomizer.class, () -> this::heardOf);
                })
                .run(
                        // The workers of other tests are on the class path.
                        "--elasticjob.enabled=false",
                        "--server.port=0",
                        "--elasticjob.registry.connect-string=" + zooKeeper.connectString(),
                        "--elasticjob.kubernetes.namespace=" + CrudServer.NAMESPACE);
        assertThat(decided.await(60, TimeUnit.SECONDS)).isTrue();
        super.start();
    }

    /** The meters of a pool are there once it has been decided what it needs. */
    private void heardOf(MeterRegistry registry) {
        registry.config().onMeterAdded(meter -> {
            if (meter.getId().getName().equals("elasticjob.kubernetes.start.failures")) {
                decided.countDown();
            }
        });
    }

    @AfterAll
    void stop() {
        Optional.ofNullable(controller).ifPresent(ConfigurableApplicationContext::close);
        server.close();
        zooKeeper.close();
    }

    @Override
    protected String scraped() throws IOException {
        return get("/actuator/prometheus").body();
    }

    @Test
    void itIsAliveAndReady() throws IOException {
        assertThat(get("/actuator/health/liveness").statusCode()).isEqualTo(200);
        assertThat(get("/actuator/health/readiness").body())
                .contains("\"status\":\"UP\"")
                .contains("\"apiServer\"");
    }

    @Test
    void theGuideListsItsMeters() throws IOException {
        String section =
                Files.readString(GUIDE).split("\n## Metrics and probes\n")[1].split("\n## ")[0];
        List<String> listed = METER.matcher(section)
                .results()
                .map(meter -> meter.group(1))
                .distinct()
                .sorted()
                .toList();
        TreeSet<String> present = controller.getBean(MeterRegistry.class).getMeters().stream()
                .map(meter -> meter.getId().getName())
                .filter(name -> name.startsWith("elasticjob."))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(listed).containsExactlyElementsOf(present);
    }

    @Test
    void nothingElseIsToBeHad() throws IOException {
        assertThat(get("/actuator/env").statusCode()).isEqualTo(404);
        assertThat(get("/actuator/heapdump").statusCode()).isEqualTo(404);
    }

    private HttpResponse<String> get(String path) throws IOException {
        String port = controller.getEnvironment().getRequiredProperty("local.server.port");
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the controller was asked", e);
        }
    }
}
