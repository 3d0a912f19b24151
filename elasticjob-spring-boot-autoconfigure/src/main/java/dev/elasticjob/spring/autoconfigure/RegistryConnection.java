package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import java.util.Optional;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Creates the registry from the properties. */
final class RegistryConnection {
    private static final String NAMESPACE = "elasticjob";

    private final ElasticJobProperties.Registry properties;
    private final Environment environment;

    RegistryConnection(ElasticJobProperties.Registry properties, Environment environment) {
        this.properties = properties;
        this.environment = environment;
    }

    /** Waits for the first connection, up to the connection timeout. */
    CuratorRegistry connect(ZooKeeperConnectionDetails details) {
        return CuratorRegistry.connect(settings(details));
    }

    private RegistrySettings settings(ZooKeeperConnectionDetails details) {
        ElasticJobProperties.Retry retry = properties.retry();
        try {
            return new RegistrySettings(
                    details.getConnectString(),
                    namespace(),
                    properties.sessionTimeout(),
                    properties.connectionTimeout(),
                    new RegistrySettings.Retry(retry.baseSleep(), retry.maxSleep(), retry.maxRetries()),
                    Optional.ofNullable(properties.digest()).filter(StringUtils::hasText));
        } catch (IllegalArgumentException e) {
            throw new FailureAnalyzedException(
                    String.valueOf(e.getMessage()), "Correct the properties mentioned above.", e);
        }
    }

    String namespace() {
        if (StringUtils.hasText(properties.namespace())) {
            return properties.namespace();
        }
        String application = environment.getProperty("spring.application.name");
        return StringUtils.hasText(application) ? application : NAMESPACE;
    }
}
