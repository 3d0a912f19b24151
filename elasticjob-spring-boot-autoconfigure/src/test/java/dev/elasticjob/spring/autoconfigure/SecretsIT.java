package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.group.ShardAssignment;
import dev.elasticjob.group.ShardingNotice;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.spring.DynamicSharding;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.TestZooKeeper;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoAuthException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Where an application's secrets don't get to, and who can use its nodes, after jobs of every kind have run. */
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecretsIT {
    private static final String DIGEST = "shop:s3cret-digest";
    private static final Set<String> JOBS =
            Set.of("orders", "rows", "failing", "after", "cleanup", "billing", "refused", "unknown", "report");

    private final TestZooKeeper zooKeeper = TestZooKeeper.start();
    private final Heard<JobEvent> events = new Heard<>();
    private final CompletableFuture<String> received = new CompletableFuture<>();
    private HttpServer receiver;
    private ConfigurableApplicationContext application;
    private String output;

    @BeforeAll
    void runJobsOfEveryKind(CapturedOutput captured) throws Exception {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            received.complete(exchange.getRequestHeaders().getFirst("Authorization")
                    + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(exchange.getRequestURI().getPath().equals("/refused") ? 500 : 204, -1);
            exchange.close();
        });
        receiver.start();
        var spring = new SpringApplication(Shop.class);
        spring.addInitializers(
                context -> context.getBeanFactory().registerSingleton("heard", (JobEventListener) events::add));
        application = spring.run(settings());
        OnZooKeeper.get(application.getBean(JobAdmin.class).run("report", RunRequest.withParameter("2026-10")));
        events.await(
                "the end of an item of each job",
                told -> told.stream()
                        .filter(ItemFinished.class::isInstance)
                        .map(JobEvent::jobName)
                        .collect(java.util.stream.Collectors.toSet())
                        .containsAll(JOBS));
        output = captured.getAll();
    }

    private String[] settings() {
        String uri = "http://127.0.0.1:" + receiver.getAddress().getPort();
        List<String> settings = new ArrayList<>(List.of(
                "--server.port=0",
                "--elasticjob.secrets.billing-token=s3cret-token",
                "--management.endpoints.web.exposure.include=*",
                "--management.endpoint.env.show-values=always",
                "--management.endpoint.configprops.show-values=always",
                "--logging.level.dev.elasticjob=trace",
                "--elasticjob.registry.connect-string=" + zooKeeper.connectString(),
                "--elasticjob.registry.namespace=company/shop",
                "--elasticjob.registry.digest=" + DIGEST,
                "--elasticjob.jobs.cleanup.job-type=script",
                "--elasticjob.jobs.cleanup.script-command-line=true",
                "--elasticjob.jobs.cleanup.cron=* * * * * ?",
                "--elasticjob.jobs.cleanup.sharding-total-count=1"));
        Map<String, String> headers =
                Map.of("billing", "billing-token", "refused", "billing-token", "unknown", "no-token");
        headers.forEach((job, secret) -> {
            String prefix = "--elasticjob.jobs." + job + ".";
            settings.addAll(List.of(
                    prefix + "job-type=http",
                    prefix + "cron=* * * * * ?",
                    prefix + "sharding-total-count=1",
                    prefix + "http.method=POST",
                    prefix + "http.uri=" + uri + "/" + job,
                    prefix + "http.body=token=\\${billing-token}",
                    prefix + "http.headers.Authorization=Bearer \\${" + secret + "}"));
        });
        return settings.toArray(String[]::new);
    }

    @AfterAll
    void close() {
        application.close();
        receiver.stop(0);
        zooKeeper.close();
    }

    @Test
    void aReferenceIsSentAsItsValue() {
        assertThat(received.join()).isEqualTo("Bearer s3cret-token token=s3cret-token");
    }

    @Test
    void aReferenceWithoutAValueIsNamedInTheFailure() {
        assertThat(events.all())
                .filteredOn(event ->
                        event instanceof ItemFinished && event.jobName().equals("unknown"))
                .isNotEmpty()
                .allSatisfy(event -> assertThat(((ItemFinished) event).failure().orElseThrow())
                        .hasMessageContaining("\"elasticjob.secrets.no-token\""));
        assertThat(output).contains("set the property on each instance");
    }

    @Test
    void noSecretIsLogged() {
        assertThat(output).contains("\"refused\"").contains("500").doesNotContain("s3cret");
    }

    @Test
    void noSecretIsInTheRegistry() throws Exception {
        Map<String, String> nodes = nodes();

        assertThat(nodes.values()).anyMatch(data -> data.contains("Bearer ${billing-token}"));
        assertThat(nodes).allSatisfy((path, data) -> assertThat(path + data).doesNotContain("s3cret"));
    }

    @Test
    void noSecretIsShownByTheEndpoint() throws Exception {
        List<String> paths = new ArrayList<>(List.of("", "?scope=namespace", "?scope=servers"));
        for (String job : JOBS) {
            for (String view : List.of("", "/definition", "/tree", "/instances", "/due-times", "/explain/0")) {
                paths.add("/" + job + view);
            }
        }

        for (String path : paths) {
            HttpResponse<String> response = get("/elasticjob" + path);

            assertThat(response.statusCode()).as(path).isEqualTo(200);
            assertThat(response.body()).as(path).isNotEmpty().doesNotContain("s3cret");
        }
        assertThat(get("/env").body())
                .contains("elasticjob.jobs.billing.http.uri")
                .doesNotContain("s3cret");
        assertThat(get("/configprops").body()).contains("company/shop").doesNotContain("s3cret");
    }

    /** A heap dump contains every secret of a process, whatever the process does. */
    @Test
    void noSecretIsShownByOtherEndpoints() throws Exception {
        for (String endpoint :
                List.of("threaddump", "beans", "conditions", "health", "info", "loggers", "mappings", "metrics")) {
            HttpResponse<String> response = get("/" + endpoint);

            assertThat(response.statusCode()).as(endpoint).isEqualTo(200);
            assertThat(response.body()).as(endpoint).isNotEmpty().doesNotContain("s3cret");
        }
        assertThat(get("/threaddump").body()).contains("elasticjob-");
    }

    /** Of jobs of every kind and of a group: who has another digest, or none, can do nothing with any node. */
    @Test
    void everyNodeIsClosedToOthers() throws Exception {
        Map<String, String> nodes = nodes();

        assertThat(nodes.keySet())
                .anyMatch(path -> path.endsWith("/report"))
                .anyMatch(path -> path.contains("/partitions"))
                .hasSizeGreaterThan(10 * JOBS.size());
        try (ZooKeeper none = client(null);
                ZooKeeper other = client("shop:guess")) {
            for (String path : nodes.keySet()) {
                for (ZooKeeper stranger : List.of(none, other)) {
                    refused(path, () -> stranger.getData(path, false, null));
                    refused(path, () -> stranger.getChildren(path, false));
                    refused(path, () -> stranger.setData(path, new byte[0], -1));
                    refused(path, () -> stranger.setACL(path, ZooDefs.Ids.OPEN_ACL_UNSAFE, -1));
                    refused(
                            path,
                            () -> stranger.create(
                                    path + "/intruder",
                                    new byte[0],
                                    ZooDefs.Ids.OPEN_ACL_UNSAFE,
                                    CreateMode.PERSISTENT));
                }
            }
        }
    }

    private interface Attempt {
        Object make() throws Exception;
    }

    /** The jobs run on, so a node may be gone by then. */
    private static void refused(String path, Attempt attempt) {
        assertThatThrownBy(attempt::make)
                .as(path)
                .isInstanceOfAny(NoAuthException.class, KeeperException.NoNodeException.class);
    }

    /** The nodes of the application that its digest sees, with their data; those that go meanwhile are left out. */
    private Map<String, String> nodes() throws Exception {
        Map<String, String> nodes = new TreeMap<>();
        try (ZooKeeper own = client(DIGEST)) {
            for (String name : own.getChildren("/", false)) {
                if (!name.equals("zookeeper")) {
                    add(own, "/" + name, nodes);
                }
            }
        }
        return nodes;
    }

    private static void add(ZooKeeper own, String path, Map<String, String> nodes) throws Exception {
        try {
            List<ACL> permissions = own.getACL(path, new Stat());
            assertThat(permissions).as(path).singleElement().satisfies(permission -> {
                assertThat(permission.getId().getScheme()).isEqualTo("digest");
                assertThat(permission.getPerms()).isEqualTo(ZooDefs.Perms.ALL);
            });
            nodes.put(path, new String(own.getData(path, false, null), StandardCharsets.UTF_8));
            for (String child : own.getChildren(path, false)) {
                add(own, path + "/" + child, nodes);
            }
        } catch (KeeperException.NoNodeException e) {
            // It has gone.
        }
    }

    private ZooKeeper client(String digest) throws Exception {
        ZooKeeper client = new ZooKeeper(zooKeeper.connectString(), 10_000, event -> {});
        if (digest != null) {
            client.addAuthInfo("digest", digest.getBytes(StandardCharsets.UTF_8));
        }
        return client;
    }

    private HttpResponse<String> get(String path) throws Exception {
        String port = application.getEnvironment().getProperty("local.server.port");
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator" + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {
        @Bean
        @ElasticJob(name = "orders", cron = "* * * * * ?", shardingTotalCount = 2, failover = true)
        SimpleJob orders() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "failing", cron = "* * * * * ?", shardingTotalCount = 1)
        SimpleJob failing() {
            return context -> {
                throw new IllegalStateException("on purpose");
            };
        }

        @Bean
        @ElasticJob(name = "after", after = "orders", shardingTotalCount = 1)
        SimpleJob after() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "report", shardingTotalCount = 1)
        SimpleJob report() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "rows", cron = "* * * * * ?", shardingTotalCount = 1, streamingProcess = true)
        DataflowJob<String> rows() {
            return new Rows();
        }

        @Bean
        Partitions partitions() {
            return new Partitions();
        }
    }

    private static final class Rows implements DataflowJob<String> {
        @Override
        public List<String> fetchData(ShardingContext context) {
            return context.getLastCheckpoint().isEmpty() ? List.of("row") : List.of();
        }

        @Override
        public void processData(ShardingContext context, List<String> data) {
            context.checkpoint("done");
        }
    }

    @DynamicSharding("partitions")
    static final class Partitions implements ShardingNotice {
        @Override
        public void shardingCompleted(ShardAssignment assignment) {}

        @Override
        public void startSharding() {}
    }
}
