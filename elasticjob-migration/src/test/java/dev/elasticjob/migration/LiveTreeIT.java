package dev.elasticjob.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.migration.source.UnreadableSourceException;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.TestZooKeeper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trees as 2.1.5 and 3.0.4 leave them, on a real ZooKeeper. */
class LiveTreeIT {
    private static TestZooKeeper server;

    @TempDir
    private Path folder;

    @BeforeAll
    static void startServer() {
        server = TestZooKeeper.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void allJobsOfATreeBecomeAnApplicationAndTheTreeStaysAsItIs() throws Exception {
        try (Registry registry = connect(RegistrySettings.of(server.connectString(), "shop"))) {
            node(registry, "/orders", "shop.OrdersJob");
            node(
                    registry,
                    "/orders/config",
                    "cron: 0 30 6 ? * 2-6\nfailover: true\njobName: orders\nmisfire: true\nmonitorExecution: true\n"
                            + "reconcileIntervalMinutes: 10\nshardingTotalCount: 3\n");
            node(registry, "/clean", "SCRIPT");
            node(
                    registry,
                    "/clean/config",
                    "cron: 0 0 3 * * ?\njobName: clean\nmisfire: true\nmonitorExecution: true\nprops:\n"
                            + "  script.command.line: echo x\nreconcileIntervalMinutes: 10\nshardingTotalCount: 1\n");
            node(registry, "/old", "");
            node(
                    registry,
                    "/old/config",
                    "{\"jobName\":\"old\",\"jobClass\":\"shop.OldJob\",\"jobType\":\"SIMPLE\",\"cron\":\"0 0 4 * * ?\"}");
            node(registry, "/notAJob", "");
            Map<String, String> before = tree(registry);

            MigrationResult result = new Migration(MigrationOptions.DEFAULT.withTargetNamespace("jobs"))
                    .convertTree(server.connectString(), "shop", Optional.empty());
            result.writeTo(folder);

            assertThat(tree(registry)).isEqualTo(before);
            assertThat(result.findings())
                    .anyMatch(finding -> finding.place().file().equals("/shop/notAJob")
                            && finding.reason().contains("no \"config\" node"));
            try (var application = ProducedApplication.start(folder, Compiled.of(folder))) {
                assertThat(application.jobs()).containsExactly("clean", "old", "orders");
                assertThat(application.definition("orders").cron()).isEqualTo("0 30 6 ? * MON-FRI");
                assertThat(application.definition("orders").jobClass()).isEqualTo("shop.OrdersJob");
                assertThat(application.definition("clean").scriptCommandLine()).isEqualTo("echo x");
                assertThat(application.properties().registry().connectString()).isEqualTo(server.connectString());
                assertThat(application.properties().registry().namespace()).isEqualTo("jobs");
            }
        }
    }

    @Test
    void theRegistrationsOfACloudBecomeElasticApps() throws Exception {
        String job = "{\"jobName\":\"%s\",\"appName\":\"shop\",\"jobClass\":\"shop.A\",\"jobType\":\"SIMPLE\",\"cron\":"
                + "\"0 0 4 * * ?\",\"shardingTotalCount\":2,\"cpuCount\":0.5,\"memoryMB\":10,\"misfire\":true,"
                + "\"jobExecutionType\":\"TRANSIENT\"}";
        try (Registry registry = connect(RegistrySettings.of(server.connectString(), "cloud"))) {
            for (String folder : List.of("/config", "/config/app", "/config/job", "/state", "/state/disable")) {
                node(registry, folder, "");
            }
            node(registry, "/state/disable/app", "");
            node(registry, "/state/disable/app/shop", "shop");
            node(registry, "/state/disable/job", "");
            node(registry, "/state/disable/job/old", "old");
            node(
                    registry,
                    "/config/app/shop",
                    "appCacheEnable: true\nappName: shop\nappURL: http://files/a.tar.gz\nbootstrapScript: bin/start.sh\n"
                            + "cpuCount: 0.5\neventTraceSamplingCount: 0\nmemoryMB: 54.0\n");
            node(registry, "/config/job/old", job.formatted("old"));
            node(registry, "/config/job/orders", job.formatted("orders"));
            Map<String, String> before = tree(registry);

            MigrationResult result = new Migration(MigrationOptions.DEFAULT)
                    .convertTree(server.connectString(), "cloud", Optional.empty());

            assertThat(tree(registry)).isEqualTo(before);
            assertThat(MigrationFixture.text(result, "shop-elasticapp.yml"))
                    .contains("suspend: true", "- old\n    - orders", "maxWorkers: 4", "cpu: 1000m", "memory: 64Mi");
            assertThat(result.findings())
                    .anyMatch(finding -> finding.job().equals(Optional.of("old"))
                            && finding.reason().startsWith("pause the job"));
        }
    }

    @Test
    void aNamespaceThatIsNotThereIsAnErrorAndNotCreated() {
        assertThatThrownBy(() -> new Migration(MigrationOptions.DEFAULT)
                        .convertTree(server.connectString(), "nowhere", Optional.empty()))
                .isInstanceOf(UnreadableSourceException.class)
                .hasMessageContaining("expected the node \"/nowhere\", but there is none");
        assertThatThrownBy(() -> new Migration(MigrationOptions.DEFAULT)
                        .convertTree(server.connectString(), "nowhere", Optional.empty()))
                .hasMessageContaining("but there is none");
    }

    @Test
    void aTreeWithADigestNeedsIt() {
        try (Registry registry =
                connect(RegistrySettings.of(server.connectString(), "locked").withDigest("user:secret"))) {
            node(registry, "/orders", "shop.OrdersJob");
            node(registry, "/orders/config", "cron: 0 0 3 * * ?\njobName: orders\n");
        }
        var migration = new Migration(MigrationOptions.DEFAULT);

        assertThatThrownBy(() -> migration.convertTree(server.connectString(), "locked", Optional.empty()))
                .isInstanceOf(UnreadableSourceException.class)
                .hasMessageContaining("belongs to a digest. Give it with --digest");
        assertThat(MigrationFixture.text(
                        migration.convertTree(server.connectString(), "locked", Optional.of("user:secret")),
                        "application.yml"))
                .contains("    orders:")
                .doesNotContain("secret");
    }

    @Test
    void aMalformedNodeIsNamed() {
        try (Registry registry = connect(RegistrySettings.of(server.connectString(), "broken"))) {
            node(registry, "/orders", "");
            node(registry, "/orders/config", "cron: [");
        }

        assertThatThrownBy(() -> new Migration(MigrationOptions.DEFAULT)
                        .convertTree(server.connectString(), "broken", Optional.empty()))
                .isInstanceOf(UnreadableSourceException.class)
                .hasMessageStartingWith("/broken/orders/config, line 1: expected YAML");
    }

    private static Registry connect(RegistrySettings settings) {
        return CuratorRegistry.connect(settings);
    }

    private static void node(Registry registry, String path, String data) {
        get(registry.commit(RegistryCommit.builder()
                .create(path, data.getBytes(StandardCharsets.UTF_8))
                .build()));
    }

    /** All nodes with their data and versions. */
    private static Map<String, String> tree(Registry registry) {
        Map<String, String> tree = new TreeMap<>();
        collect(registry, "", tree);
        return tree;
    }

    private static void collect(Registry registry, String path, Map<String, String> tree) {
        var answer = get(registry.read(List.of(RegistryRead.data(path), RegistryRead.children(path))));
        answer.node(path).ifPresent(node -> tree.put(path, node.text() + "@" + node.version()));
        answer.children(path).forEach(child -> collect(registry, path + "/" + child, tree));
    }

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }
}
