package dev.elasticjob.kubernetes;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.elasticjob.kubernetes.ControllerProperties.DigestSecret;
import dev.elasticjob.kubernetes.ControllerProperties.Kubernetes;
import dev.elasticjob.kubernetes.ControllerProperties.Ssl;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.curator.ClientOptions;
import dev.elasticjob.registry.curator.ClientOptions.Acl;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.Opened;
import dev.elasticjob.testing.TlsZooKeeper;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.ssl.jks.JksSslStoreBundle;
import org.springframework.boot.ssl.jks.JksSslStoreDetails;

/** Connections to a real server that accepts nothing but mutual TLS. */
class RegistryClientIT {
    private static final String BUNDLE = "zookeeper";
    private static TlsZooKeeper sealed;

    @RegisterExtension
    final Opened opened = new Opened();

    private final DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();

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
}
