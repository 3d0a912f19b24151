package dev.elasticjob.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.elasticjob.admin.app.AppNodes;
import dev.elasticjob.admin.app.AppReport;
import dev.elasticjob.admin.app.PublishedApp;
import dev.elasticjob.kubernetes.ControllerProperties.DigestSecret;
import dev.elasticjob.kubernetes.ControllerProperties.Kubernetes;
import dev.elasticjob.kubernetes.ControllerProperties.Ssl;
import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.curator.ClientOptions;
import dev.elasticjob.registry.curator.ClientOptions.Acl;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.FaultyConnection;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.LoggedLines;
import dev.elasticjob.testing.Opened;
import dev.elasticjob.testing.TlsZooKeeper;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.ssl.jks.JksSslStoreBundle;
import org.springframework.boot.ssl.jks.JksSslStoreDetails;

/** Connections to a real server that accepts nothing but mutual TLS, and certificates that are replaced. */
class RegistryClientIT {
    private static final String BUNDLE = "zookeeper";
    private static final PublishedApp SHOP = new PublishedApp("shop", "prod", false, List.of(), List.of());
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static TlsZooKeeper sealed;

    @RegisterExtension
    final Opened opened = new Opened();

    private final ReloadedBundles bundles = new ReloadedBundles();

    @BeforeAll
    static void startServer() throws IOException, GeneralSecurityException {
        sealed = new TlsZooKeeper();
    }

    @AfterAll
    static void stopServer() {
        sealed.close();
    }

    @Test
    void whoHasACertificateLeavesItToTheFirstInstanceWhoMayUseTheNamespace() {
        opened.add(client(sealed.connectString(), "shop").connect("fresh"));

        registry("fresh", Acl.CREATOR, "shop").close();

        assertThatExceptionOfType(RegistryAccessDeniedException.class)
                .isThrownBy(() -> registry("fresh", Acl.CREATOR, "stranger").close());
    }

    @Test
    void aBundleThatIsReloadedReachesAnOpenConnection() {
        FaultyConnection relay = opened.add(FaultyConnection.to(sealed.connectString()));
        registry("reloaded", Acl.OPEN, "shop").close();
        try (Registry stranger = registry("reloaded", Acl.CREATOR, "stranger")) {
            assertThat(new AppNodes(stranger).publish("uid", SHOP))
                    .succeedsWithin(PATIENCE)
                    .matches(Optional::isEmpty);
        }
        Registry controller = opened.add(client(relay.connectString(), "shop").connect("reloaded"));
        assertThat(shown(controller))
                .failsWithin(PATIENCE)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(RegistryAccessDeniedException.class);
        Heard<ConnectionState> states = new Heard<>();
        opened.add(controller.onConnectionState(states::add));

        bundles.updateBundle(BUNDLE, SslBundle.of(stores("stranger")));
        relay.cut();
        states.await("the end of the connection", all -> all.contains(ConnectionState.SUSPENDED));
        relay.mend();
        states.await("the next connection", all -> all.contains(ConnectionState.RECONNECTED));

        assertThat(shown(controller)).succeedsWithin(PATIENCE).matches(Optional::isPresent);
    }

    @Test
    void aBundleThatIsReloadedJustBeforeTheConnectionFollowsItIsUsed() {
        RegistryClient client = client(sealed.connectString(), "unknown");
        bundles.reloadAfterTheNextLook(SslBundle.of(stores("shop")));

        Registry controller = opened.add(client.connect("early"));

        assertThat(controller.connectionState()).matches(ConnectionState::isConnected);
    }

    @Test
    void aReloadWhileAConnectionIsClosedIsNoFault() {
        Registry controller = client(sealed.connectString(), "shop").connect("closing");

        try (var log = new LoggedLines()) {
            bundles.updateBundle(BUNDLE, SslBundle.of(new Read(stores("shop"), controller::close)));

            assertThat(log.all()).noneMatch(line -> line.startsWith("WARN"));
        }
    }

    @Test
    void aConnectionThatIsClosedFollowsNoBundle() {
        RegistryClient client = client(sealed.connectString(), "shop");
        client.connect("closed").close();
        var reads = new AtomicInteger();

        bundles.updateBundle(BUNDLE, SslBundle.of(new Read(stores("shop"), reads::incrementAndGet)));

        assertThat(reads).hasValue(0);
    }

    private RegistryClient client(String servers, String certificate) {
        bundles.registerBundle(BUNDLE, SslBundle.of(stores(certificate)));
        var registry = new ControllerProperties.Registry(
                servers, null, Acl.AUTOMATIC, new Ssl(null, BUNDLE), Duration.ofSeconds(20), Duration.ofSeconds(20));
        var client = new RegistryClient(
                new ControllerProperties(registry, new Kubernetes("jobs", "lease", new DigestSecret(null, "digest"))),
                bundles);
        client.check("jobs");
        return client;
    }

    private static Registry registry(String namespace, Acl acl, String certificate) {
        return CuratorRegistry.connect(
                RegistrySettings.of(sealed.connectString(), namespace),
                new ClientOptions(
                        acl, sealed.client(certificate), ClientOptions.none().customizer()));
    }

    private static CompletableFuture<Optional<AppReport>> shown(Registry registry) {
        return new AppNodes(registry).find("prod.shop").toCompletableFuture();
    }

    private static SslStoreBundle stores(String certificate) {
        Map<String, String> properties = sealed.client(certificate);
        return new JksSslStoreBundle(details(properties, "keyStore"), details(properties, "trustStore"));
    }

    private static JksSslStoreDetails details(Map<String, String> properties, String kind) {
        return new JksSslStoreDetails(
                null,
                null,
                "file:" + properties.get("zookeeper.ssl." + kind + ".location"),
                properties.get("zookeeper.ssl." + kind + ".password"));
    }

    /** Is replaced on demand at the most awkward moment: when one has just been given away. */
    private static final class ReloadedBundles extends DefaultSslBundleRegistry {
        private final AtomicReference<@Nullable SslBundle> next = new AtomicReference<>();

        void reloadAfterTheNextLook(SslBundle bundle) {
            next.set(bundle);
        }

        @Override
        public SslBundle getBundle(String name) {
            SslBundle found = super.getBundle(name);
            SslBundle replacing = next.getAndSet(null);
            if (replacing != null) {
                updateBundle(name, replacing);
            }
            return found;
        }
    }

    /** Says that its stores are read. */
    private record Read(SslStoreBundle stores, Runnable listener) implements SslStoreBundle {
        @Override
        public KeyStore getKeyStore() {
            return stores.getKeyStore();
        }

        @Override
        public String getKeyStorePassword() {
            return stores.getKeyStorePassword();
        }

        @Override
        public KeyStore getTrustStore() {
            listener.run();
            return stores.getTrustStore();
        }
    }
}
