package dev.elasticjob.console.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.registry.curator.ClientOptions;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.TlsZooKeeper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Registries with an SSL bundle and a digest, on a server that accepts nothing but mutual TLS. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SealedRegistryIT {
    private static final String REGISTRIES = "/elasticjob/api/v1/registries/";
    private static final String DIGEST = "jobs:of-the-shop";

    private TlsZooKeeper server;
    private ConfigurableApplicationContext console;
    private SignedIn anna;

    @BeforeAll
    void start() throws Exception {
        server = new TlsZooKeeper();
        register();
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--elasticjob.console.users.anna.password=" + encoded("anna-s"),
                "--elasticjob.console.users.anna.roles=admin"));
        arguments.addAll(server.bundle("stranger"));
        arguments.addAll(server.bundle("unknown"));
        // Only the digest opens the nodes to this one: its certificate is not the application's.
        arguments.addAll(registry("sealed", "60s", Map.of("digest", DIGEST, "ssl-bundle", "stranger")));
        arguments.addAll(registry("spelled-out", "60s", Map.of("digest", DIGEST, "ssl.bundle", "stranger")));
        arguments.addAll(
                registry("enabled", "60s", Map.of("digest", DIGEST, "ssl.bundle", "stranger", "ssl.enabled", "true")));
        arguments.addAll(
                registry("disabled", "1s", Map.of("digest", DIGEST, "ssl.bundle", "stranger", "ssl.enabled", "false")));
        arguments.addAll(registry("wrong", "60s", Map.of("digest", "jobs:guessed", "ssl-bundle", "stranger")));
        arguments.addAll(registry("untrusted", "1s", Map.of("digest", DIGEST, "ssl-bundle", "unknown")));
        arguments.addAll(registry("plain", "1s", Map.of("digest", DIGEST)));
        console = SpringApplication.run(ConsoleApplication.class, arguments.toArray(String[]::new));
        anna = SignedIn.as(
                "http://127.0.0.1:" + console.getEnvironment().getProperty("local.server.port"), "anna", "anna-s");
    }

    private List<String> registry(String name, String connectionTimeout, Map<String, String> more) {
        String prefix = "--elasticjob.console.registries." + name;
        List<String> all = new ArrayList<>(List.of(
                prefix + ".connect-string=" + server.connectString(),
                prefix + ".namespace=shop",
                prefix + ".connection-timeout=" + connectionTimeout));
        more.forEach((property, value) -> all.add(prefix + "." + property + "=" + value));
        return all;
    }

    /** The job "orders", in nodes that only the application's certificate or digest opens. */
    private void register() throws Exception {
        try (var registry = CuratorRegistry.connect(
                        RegistrySettings.of(server.connectString(), "shop").withDigest(DIGEST),
                        new ClientOptions(ClientOptions.Acl.CREATOR, server.client("shop"), builder -> {}));
                ElasticJobEngine engine =
                        ElasticJobEngine.builder(registry).ip("10.0.0.1").build()) {
            engine.register(JobDefinition.builder("orders").cron("0 0 4 1 1 ?").build(), (SimpleJob) context -> {});
            engine.start().toCompletableFuture().get(60, TimeUnit.SECONDS);
        }
    }

    private static String encoded(String password) throws IOException {
        return EncodedPassword.read(null, new ByteArrayInputStream(password.getBytes(StandardCharsets.UTF_8)));
    }

    @AfterAll
    void stop() {
        console.close();
        server.close();
    }

    @Test
    void withTheDigestAndABundleItsJobsAreShownAndOperated() {
        assertThat(anna.get(REGISTRIES + "sealed/jobs").body()).contains("\"name\":\"orders\"");

        HttpResponse<String> paused =
                anna.command("PUT", REGISTRIES + "sealed/jobs/orders/paused", "{\"reason\":\"as a test\"}");

        assertThat(paused.statusCode()).as(paused.body()).isEqualTo(200);
        assertThat(anna.get(REGISTRIES + "sealed/jobs/orders").body()).contains("as a test");
    }

    @Test
    void itIsConfiguredAsInTheApplicationsToo() {
        assertThat(anna.get(REGISTRIES + "spelled-out/jobs").body()).contains("\"name\":\"orders\"");
        assertThat(anna.get(REGISTRIES + "enabled/jobs").body()).contains("\"name\":\"orders\"");
    }

    @Test
    void aWrongDigestIsDeniedAccessAndNotShown() {
        HttpResponse<String> denied = anna.get(REGISTRIES + "wrong/jobs");

        assertThat(denied.statusCode()).isEqualTo(503);
        assertThat(denied.body()).contains("REGISTRY_ACCESS_DENIED").doesNotContain("guessed");
    }

    @Test
    void withoutABundleOrWithOneThatTheServerDoesNotTrustThereIsNoConnection() {
        for (String registry : new String[] {"plain", "untrusted", "disabled"}) {
            HttpResponse<String> away = anna.get(REGISTRIES + registry + "/jobs");

            assertThat(away.statusCode()).as(registry).isEqualTo(503);
            assertThat(away.body()).contains("No ZooKeeper server of the registry \\\"" + registry);
        }
    }
}
