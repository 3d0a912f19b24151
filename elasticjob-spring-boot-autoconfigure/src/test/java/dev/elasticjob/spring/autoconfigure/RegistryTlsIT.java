package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.curator.RegistryUnreachableException;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.testing.TlsZooKeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Mutual TLS with a real server that accepts nothing else. */
@ExtendWith(OutputCaptureExtension.class)
class RegistryTlsIT {
    private static final String IMPATIENT = "--elasticjob.registry.connection-timeout=2s";
    private static final String CREATOR = "--elasticjob.registry.acl=creator";

    private static TlsZooKeeper server;

    private OnZooKeeper zooKeeper;

    @BeforeAll
    static void startServer() throws IOException, GeneralSecurityException {
        server = new TlsZooKeeper();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void prepare() {
        zooKeeper = new OnZooKeeper(server.connectString(), () -> {});
    }

    @AfterEach
    void close() {
        zooKeeper.close();
    }

    @Test
    void jobRunsOverMutualTlsAndNoCertificateIsLeftBehind() throws IOException {
        Path keyStore = Path.of(zooKeeper
                .start("a", WatchedOrders.class, bundle("shop"))
                .getBean("ofTheClient", Properties.class)
                .getProperty("zookeeper.ssl.keyStore.location"));
        zooKeeper.await(ItemFinished.class, run -> run.instance().equals("a"));
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(keyStore.getParent());

        zooKeeper.close();

        assertThat(permissions)
                .as("of the directory")
                .allMatch(permission -> permission.name().startsWith("OWNER_"));
        assertThat(keyStore.getParent()).doesNotExist();
    }

    @Test
    void nodesOfACertificateAreClosedToAnother() {
        zooKeeper.start("a", Orders.class, bundle("shop", CREATOR)).close();

        assertThatException()
                .isThrownBy(() -> zooKeeper.start("b", Orders.class, bundle("stranger", CREATOR)))
                .havingCause()
                .isInstanceOf(RegistryAccessDeniedException.class);
        assertThatNoException().isThrownBy(() -> zooKeeper.start("c", Orders.class, bundle("shop", CREATOR)));
    }

    @Test
    void clientThatTheServerDoesNotTrustIsNotConnected(CapturedOutput output) {
        assertThatException()
                .isThrownBy(() -> zooKeeper.start("a", Orders.class, bundle("unknown", IMPATIENT)))
                .havingCause()
                .isInstanceOf(RegistryUnreachableException.class);

        assertThat(output)
                .contains("The server at \"" + server.connectString()
                        + "\" refuses the client certificate of the SSL bundle \"unknown\" (")
                .contains("Check that the servers' trust store has the authority that issued the certificate in the key"
                        + " store of the SSL bundle \"unknown\"");
    }

    @Test
    void clientWithoutACertificateIsToldSo(CapturedOutput output) {
        String[] withoutKey = Stream.of(bundle("shop", IMPATIENT))
                .filter(property -> !property.contains(".keystore."))
                .toArray(String[]::new);

        assertThatException().isThrownBy(() -> zooKeeper.start("a", Orders.class, withoutKey));

        assertThat(output)
                .contains("The server at \"" + server.connectString()
                        + "\" requires a client certificate, and the SSL bundle \"shop\" has none (")
                .contains("Add a key store with a certificate that the servers trust to the SSL bundle \"shop\".")
                .doesNotContain("not specified");
    }

    @Test
    void serverThatTheClientDoesNotTrustIsNamed(CapturedOutput output) {
        String[] others = Stream.of(bundle("shop", IMPATIENT))
                .map(property -> property.replace("shop-trust.p12", "server-trust.p12"))
                .toArray(String[]::new);

        assertThatException().isThrownBy(() -> zooKeeper.start("a", Orders.class, others));

        assertThat(output)
                .contains("The certificate of the server at \"" + server.connectString()
                        + "\" is not trusted by the SSL bundle \"shop\" (")
                .contains("Add the authority that issued the server's certificate to the trust store of the SSL bundle"
                        + " \"shop\".");
    }

    @Test
    void clientWithoutTlsIsToldThatTheServerExpectsIt(CapturedOutput output) {
        assertThatException().isThrownBy(() -> zooKeeper.start("a", Orders.class, IMPATIENT));

        assertThat(output)
                .contains("The server at \"" + server.connectString()
                        + "\" expects TLS, but this application connects without it.")
                .contains("Set \"elasticjob.registry.ssl.bundle\" to an SSL bundle that trusts the servers");
    }

    @Test
    void clientWithTlsIsToldThatTheServerHasNone(CapturedOutput output) {
        try (var plain = new OnZooKeeper()) {
            assertThatException().isThrownBy(() -> plain.start("a", Orders.class, bundle("shop", IMPATIENT)));
        }

        assertThat(output)
                .contains("is reached, but not with TLS, and this application connects with the SSL bundle \"shop\".")
                .contains(
                        "to the servers' port with TLS (\"secureClientPort\"), or remove \"elasticjob.registry.ssl\".");
    }

    @Test
    void bundleThatDoesNotExistIsReported(CapturedOutput output) {
        assertThatException()
                .isThrownBy(() -> zooKeeper.start("a", Orders.class, "--elasticjob.registry.ssl.bundle=shpo"));

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(
                        "\"elasticjob.registry.ssl.bundle\" names the SSL bundle \"shpo\", but there is none of that name.")
                .contains("\"spring.ssl.bundle.pem.shpo\"");
    }

    @Test
    void permissionsOfTheCreatorNeedACreatorWithAnIdentity(CapturedOutput output) {
        assertThatException().isThrownBy(() -> zooKeeper.start("a", Orders.class, CREATOR));

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("\"elasticjob.registry.acl\" is \"creator\", but this application has no identity");
    }

    private static String[] bundle(String name, String... more) {
        List<String> properties = new ArrayList<>(server.bundle(name));
        properties.add("--elasticjob.registry.ssl.bundle=" + name);
        properties.addAll(List.of(more));
        return properties.toArray(String[]::new);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(OrdersJob.class)
    static class Orders {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(OrdersJob.class)
    static class WatchedOrders {
        @Bean
        Properties ofTheClient() {
            return new Properties();
        }

        @Bean
        ElasticJobCuratorBuilderCustomizer watch(Properties ofTheClient) {
            String name = "zookeeper.ssl.keyStore.location";
            return builder -> ofTheClient.put(name, builder.getZkClientConfig().getProperty(name));
        }
    }

    @ElasticJob(name = "orders", cron = "* * * * * ?")
    static class OrdersJob implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {}
    }
}
