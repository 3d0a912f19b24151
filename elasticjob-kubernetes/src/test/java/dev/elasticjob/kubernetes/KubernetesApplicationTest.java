package dev.elasticjob.kubernetes;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.kubernetes.ControllerProperties.DigestSecret;
import dev.elasticjob.kubernetes.ControllerProperties.Kubernetes;
import dev.elasticjob.kubernetes.ControllerProperties.Registry;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is wrong is said at the start, with the names of the properties. */
class KubernetesApplicationTest {
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(Config.empty()).build();
    private final KubernetesApplication application = new KubernetesApplication();

    @AfterEach
    void end() {
        client.close();
    }

    @Test
    void withoutServersItDoesNotStart() {
        assertThatThrownBy(() -> application.controller(client, properties("", "jobs"), new SimpleMeterRegistry()))
                .hasMessageContaining("\"elasticjob.registry.connect-string\" must name at least one server");
    }

    @Test
    void withoutNamespaceItDoesNotStart() {
        assertThatThrownBy(() ->
                        application.controller(client, properties("zookeeper:2181", null), new SimpleMeterRegistry()))
                .hasMessageContaining("\"elasticjob.kubernetes.namespace\"");
    }

    private static ControllerProperties properties(String servers, @Nullable String namespace) {
        return new ControllerProperties(
                new Registry(servers, null, Duration.ofSeconds(20), Duration.ofSeconds(5)),
                new Kubernetes(namespace, "lease", new DigestSecret(null, "digest")));
    }
}
