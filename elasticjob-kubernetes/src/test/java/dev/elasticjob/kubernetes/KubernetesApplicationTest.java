package dev.elasticjob.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.kubernetes.ControllerProperties.DigestSecret;
import dev.elasticjob.kubernetes.ControllerProperties.Kubernetes;
import dev.elasticjob.kubernetes.ControllerProperties.Registry;
import dev.elasticjob.kubernetes.ControllerProperties.Ssl;
import dev.elasticjob.registry.curator.ClientOptions.Acl;
import dev.elasticjob.spring.autoconfigure.DurationsWithoutUnit;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;
import org.springframework.core.env.StandardEnvironment;

/** What is wrong is said at the start, with the names of the properties. */
class KubernetesApplicationTest {
    private final DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();

    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(Config.empty()).build();
    private final KubernetesApplication application = new KubernetesApplication();

    @AfterEach
    void end() {
        client.close();
    }

    @Test
    void withoutServersItDoesNotStart() {
        assertThatThrownBy(() -> controller(properties("", "jobs")))
                .hasMessageContaining("\"elasticjob.registry.connect-string\" must name at least one server");
    }

    @Test
    void withoutNamespaceItDoesNotStart() {
        assertThatThrownBy(() -> controller(properties("zookeeper:2181", null)))
                .hasMessageContaining("\"elasticjob.kubernetes.namespace\"");
    }

    @Test
    void withAnSslBundleThatDoesNotExistItDoesNotStart() {
        bundles.registerBundle("shop", SslBundle.systemDefault());

        assertThatThrownBy(() -> start(Acl.AUTOMATIC, "shpo"))
                .hasMessage(
                        "\"elasticjob.registry.ssl.bundle\" names the SSL bundle \"shpo\", but the bundles below \"spring.ssl.bundle\" are: shop.");
    }

    @Test
    void withAnSslBundleWhoseFilesAreMissingItDoesNotStart() {
        var files = new PemSslStoreBundle(null, PemSslStoreDetails.forCertificate("file:/etc/tls/missing.crt"));
        bundles.registerBundle("shop", SslBundle.of(files));

        assertThatThrownBy(() -> start(Acl.AUTOMATIC, "shop"))
                .hasMessageContaining("The SSL bundle \"shop\" can't be used: ")
                .hasMessageContaining("/etc/tls/missing.crt");
    }

    @Test
    void withNodesForTheCreatorItNeedsAnIdentity() {
        bundles.registerBundle("shop", SslBundle.systemDefault());

        assertThatThrownBy(() -> start(Acl.CREATOR, "shop"))
                .hasMessageContaining(
                        "\"elasticjob.registry.acl\" is \"creator\", but this controller has no identity");
    }

    @Test
    void anEmptyDigestIsNoIdentity() {
        bundles.registerBundle("shop", SslBundle.systemDefault());

        assertThatThrownBy(() -> start(Acl.CREATOR, "shop", " "))
                .hasMessageContaining(
                        "\"elasticjob.registry.acl\" is \"creator\", but this controller has no identity");
    }

    /** As a template of a deployment leaves them that are not filled in. */
    @Test
    void emptyNamesAreNone() {
        assertThat(new Ssl(null, " ").isEncrypted()).isFalse();
        assertThat(new DigestSecret("", " ")).isEqualTo(new DigestSecret(null, "digest"));
        assertThat(new Kubernetes("", "", new DigestSecret(null, "digest")))
                .isEqualTo(new Kubernetes(null, "elasticjob-kubernetes", new DigestSecret(null, "digest")));
    }

    @Test
    void durationsWithoutAUnitAreReportedAtOnce() {
        String[] settings = {
            "--elasticjob.registry.connect-string=zookeeper:2181",
            "--elasticjob.registry.session-timeout=20",
            "--elasticjob.registry.connection-timeout=5000",
            "--elasticjob.kubernetes.namespace=jobs"
        };

        assertThatThrownBy(() -> SpringApplication.run(KubernetesApplication.class, settings))
                .rootCause()
                .hasMessageContainingAll(
                        "\"elasticjob.registry.session-timeout\" is \"20\": expected a duration with a unit: 20 what? Write 20s or 20m.",
                        "\"elasticjob.registry.connection-timeout\" is \"5000\": expected a duration with a unit");
    }

    private void start(Acl acl, String bundle) {
        start(acl, bundle, null);
    }

    private void start(Acl acl, String bundle, @Nullable String digest) {
        var registry = new Registry(
                "zookeeper:2281", digest, acl, new Ssl(null, bundle), Duration.ofSeconds(20), Duration.ofSeconds(5));
        controller(properties(registry, "jobs"));
    }

    private void controller(ControllerProperties properties) {
        application.controller(
                client,
                properties,
                new DurationsWithoutUnit(new StandardEnvironment()),
                bundles,
                new SimpleMeterRegistry());
    }

    private static ControllerProperties properties(String servers, @Nullable String namespace) {
        return properties(
                new Registry(
                        servers,
                        null,
                        Acl.AUTOMATIC,
                        new Ssl(null, null),
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(5)),
                namespace);
    }

    private static ControllerProperties properties(Registry registry, @Nullable String namespace) {
        return new ControllerProperties(registry, new Kubernetes(namespace, "lease", new DigestSecret(null, "digest")));
    }
}
