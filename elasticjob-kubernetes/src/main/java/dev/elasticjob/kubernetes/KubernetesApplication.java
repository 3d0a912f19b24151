package dev.elasticjob.kubernetes;

import dev.elasticjob.kubernetes.Controller.Place;
import dev.elasticjob.kubernetes.cluster.RegistryAccess;
import dev.elasticjob.kubernetes.cluster.RegistryAccess.SecretKey;
import dev.elasticjob.spring.autoconfigure.DurationsWithoutUnit;
import dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.Optional;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** The controller as an application. It runs no job, and ends no worker. */
@SpringBootApplication(proxyBeanMethods = false, exclude = ElasticJobAutoConfiguration.class)
@EnableConfigurationProperties(ControllerProperties.class)
public class KubernetesApplication {
    private static final int REQUEST_TIMEOUT_MILLIS = 10_000;

    /** @param arguments properties such as {@code --elasticjob.registry.connect-string=zookeeper:2181} */
    public static void main(String[] arguments) {
        SpringApplication.run(KubernetesApplication.class, arguments);
    }

    @Bean
    static DurationsWithoutUnit durationsWithoutUnit(Environment environment) {
        return new DurationsWithoutUnit(environment);
    }

    /** The loop tries again by itself, and must not wait for the client's own tries. */
    @Bean
    KubernetesClient kubernetesClient() {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withRequestTimeout(REQUEST_TIMEOUT_MILLIS)
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
    }

    @Bean(initMethod = "start")
    Controller controller(
            KubernetesClient client,
            ControllerProperties properties,
            DurationsWithoutUnit durations,
            SslBundles bundles,
            MeterRegistry meters) {
        if (!durations.problems().isEmpty()) {
            throw new FailureAnalyzedException(
                    "The controller can't start with these settings:\n  - "
                            + String.join("\n  - ", durations.problems()),
                    "Correct the properties mentioned above.");
        }
        ControllerProperties.Kubernetes kubernetes = properties.kubernetes();
        String namespace = Optional.ofNullable(kubernetes.namespace())
                .or(() -> Optional.ofNullable(client.getNamespace()))
                .orElseThrow(
                        () -> new IllegalStateException(
                                "Expected \"elasticjob.kubernetes.namespace\", or a pod or kubeconfig that has a namespace, but found none. Set the property to the namespace of the applications"));
        // What can't be read ends the start. What ZooKeeper's client makes of it, the first application shows.
        var registry = new RegistryClient(properties, bundles);
        registry.check(namespace);
        var access = new RegistryAccess(
                properties.registry().connectString(),
                Optional.ofNullable(kubernetes.digestSecret().name())
                        .map(name ->
                                new SecretKey(name, kubernetes.digestSecret().key())));
        return new Controller(
                client, new Place(namespace, kubernetes.lease(), access), registry::connect, meters, Clock.systemUTC());
    }

    /** Without the API server it is not ready; to restart it would not help. */
    @Bean
    HealthIndicator apiServerHealthIndicator(Controller controller) {
        return () -> controller.isListed()
                ? Health.up().build()
                : Health.outOfService()
                        .withDetail(
                                "reason",
                                "The API server has not listed all resources yet. Check that the ElasticApp definition is installed, and the rights of this service account")
                        .build();
    }
}
