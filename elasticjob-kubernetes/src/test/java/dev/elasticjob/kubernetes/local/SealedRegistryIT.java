package dev.elasticjob.kubernetes.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.app.AppNodes;
import dev.elasticjob.admin.app.AppReport;
import dev.elasticjob.kubernetes.KubernetesApplication;
import dev.elasticjob.kubernetes.cluster.CrudServer;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.curator.ClientOptions;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.TlsZooKeeper;
import dev.elasticjob.testing.ZooKeeperTestServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** The controller as it is started in a pod, and a ZooKeeper that accepts nothing but mutual TLS. */
@Tag("proof")
class SealedRegistryIT {
    private static final String DIGEST = "jobs:of-the-shop";
    private static TlsZooKeeper sealed;

    private final LocalCluster cluster = new LocalCluster();
    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeAll
    static void startServer() throws IOException, GeneralSecurityException {
        sealed = new TlsZooKeeper();
    }

    @AfterAll
    static void stopServer() {
        sealed.close();
    }

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
    }

    @Test
    void podsComeAndGoOverMutualTls() {
        controller(sealed.connectString(), bundle("shop"));
        cluster.server.put("shop", spec("mutual", "shop"));

        await("a worker that has registered, with its own certificate", "True Ready");
        cluster.happened.await("its end", all -> cluster.running().isEmpty());
        assertThat(cluster.status("shop").get("jobs")).isEqualTo(List.of("orders"));
    }

    @Test
    void aDigestFromAFileOpensWhatBelongsToIt(@TempDir Path secret) throws Exception {
        Files.writeString(secret.resolve("elasticjob.registry.digest"), DIGEST + "\n");
        create("owned", DIGEST);
        controller(sealed.connectString(), bundle("stranger"), "--spring.config.import=configtree:" + secret + "/");
        cluster.server.put("shop", spec("owned", "missing"));

        await("a look", "False Introducing");
        cluster.happened.await("people to be shown it", all -> isShown("owned"));
    }

    @Test
    void nodesOfTheControllerAreClosedToOthersIfTheCreatorAloneMayUseThem() {
        registry("closed", ClientOptions.Acl.OPEN, "shop").close();
        controller(sealed.connectString(), bundle("shop"), "--elasticjob.registry.acl=creator");
        cluster.server.put("shop", spec("closed", "missing"));
        await("a look", "False Introducing");
        try (Registry owner = registry("closed", ClientOptions.Acl.CREATOR, "shop");
                Registry stranger = registry("closed", ClientOptions.Acl.CREATOR, "stranger")) {
            cluster.happened.await(
                    "people to be shown it",
                    all -> shown(owner).toCompletableFuture().join().isPresent());

            assertThat(shown(stranger))
                    .failsWithin(Duration.ofMinutes(1))
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(RegistryAccessDeniedException.class);
        }
    }

    @Test
    void aControllerWithoutTlsIsToldThatTheServerExpectsIt() {
        controller(sealed.connectString(), List.of());
        assertUnavailable("expects TLS, but this application connects without it")
                .contains("Set \"elasticjob.registry.ssl.bundle\"");
    }

    @Test
    void aServerThatTheBundleDoesNotTrustIsNamed() {
        controller(
                sealed.connectString(),
                bundle("shop").stream()
                        .map(property -> property.replace("shop-trust.p12", "server-trust.p12"))
                        .toList());
        assertUnavailable("The certificate of the server at \"" + sealed.connectString()
                + "\" is not trusted by the SSL bundle \"shop\"");
    }

    @Test
    void aCertificateThatTheServerRefusesIsNamed() {
        controller(sealed.connectString(), bundle("unknown"));
        assertUnavailable("refuses the client certificate of the SSL bundle \"unknown\"");
    }

    @Test
    void aControllerWithTlsIsToldThatTheServerHasNone() {
        ZooKeeperTestServer plain = ZooKeeperTestServer.start();
        open.add(plain);
        controller(plain.connectString(), bundle("shop"));
        assertUnavailable("is reached, but not with TLS, and this application connects with the SSL bundle \"shop\"");
    }

    private AbstractStringAssert<?> assertUnavailable(String reason) {
        cluster.server.put("shop", spec("any", "missing"));
        await("the reason", "False RegistryUnavailable");
        assertThat(cluster.jobs()).isEmpty();
        return assertThat(String.valueOf(
                        cluster.wholeCondition("shop", "Ready").orElseThrow().get("message")))
                .contains(reason);
    }

    private void await(String what, String ready) {
        cluster.happened.await(what, all -> cluster.condition("shop", "Ready").equals(ready));
    }

    private void controller(String servers, List<String> properties, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--elasticjob.registry.connect-string=" + servers,
                "--elasticjob.registry.connection-timeout=4s",
                "--elasticjob.kubernetes.namespace=" + CrudServer.NAMESPACE));
        arguments.addAll(properties);
        arguments.addAll(List.of(more));
        ConfigurableApplicationContext context = new SpringApplicationBuilder(KubernetesApplication.class)
                .initializers(beans -> ((GenericApplicationContext) beans)
                        .registerBean(
                                "played",
                                KubernetesClient.class,
                                cluster.server::newClient,
                                bean -> bean.setPrimary(true)))
                .run(arguments.toArray(String[]::new));
        open.add(0, context);
    }

    private static List<String> bundle(String name) {
        List<String> properties = new ArrayList<>(sealed.bundle(name));
        properties.add("--elasticjob.registry.ssl.bundle=" + name);
        return properties;
    }

    private static void create(String namespace, String digest) {
        CuratorRegistry.connect(
                        RegistrySettings.of(sealed.connectString(), namespace).withDigest(digest),
                        new ClientOptions(
                                ClientOptions.Acl.AUTOMATIC,
                                sealed.client("shop"),
                                ClientOptions.none().customizer()))
                .close();
    }

    private static Registry registry(String namespace, ClientOptions.Acl acl, String certificate) {
        return CuratorRegistry.connect(
                RegistrySettings.of(sealed.connectString(), namespace),
                new ClientOptions(
                        acl, sealed.client(certificate), ClientOptions.none().customizer()));
    }

    private static boolean isShown(String namespace) {
        try (Registry owner = CuratorRegistry.connect(
                RegistrySettings.of(sealed.connectString(), namespace).withDigest(DIGEST),
                new ClientOptions(
                        ClientOptions.Acl.AUTOMATIC,
                        sealed.client("shop"),
                        ClientOptions.none().customizer()))) {
            return shown(owner).toCompletableFuture().join().isPresent();
        }
    }

    private static CompletionStage<Optional<AppReport>> shown(Registry registry) {
        return new AppNodes(registry).find("jobs.shop");
    }

    /** @param image with the certificate of this name, unless it is missing */
    private static Map<String, Object> spec(String namespace, String image) {
        List<Map<String, String>> environment = new ArrayList<>(List.of(
                Map.of("name", "ELASTICJOB_REGISTRY_SESSIONTIMEOUT", "value", "3s"),
                Map.of("name", "ELASTICJOB_REGISTRY_SERVERTICK", "value", "500ms"),
                Map.of("name", "ELASTICJOB_REGISTRY_SSL_BUNDLE", "value", image)));
        sealed.bundle(image).stream()
                .map(property -> property.substring(2).split("=", 2))
                .map(property ->
                        Map.of("name", property[0].toUpperCase(Locale.ROOT).replace('.', '_'), "value", property[1]))
                .forEach(environment::add);
        Map<String, Object> spec = new HashMap<>();
        spec.put("registryNamespace", namespace);
        spec.put("pools", List.of(Map.of("name", "default", "maxWorkers", 3, "startAhead", "1s", "idleAfter", "3s")));
        spec.put(
                "template",
                Map.of(
                        "spec",
                        Map.of("containers", List.of(Map.of("name", "app", "image", image, "env", environment)))));
        return spec;
    }
}
