package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.spring.embedded.EmbeddedZooKeeper;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;

/**
 * The registry's address according to the properties: the connect string if there is one, otherwise the embedded
 * server.
 */
final class RegistryAddress implements ZooKeeperConnectionDetails {
    private static final Logger log = LoggerFactory.getLogger(RegistryAddress.class);

    private final ElasticJobProperties.Registry properties;
    private final Supplier<EmbeddedZooKeeper> embedded;

    /** @param embedded starts the embedded server; called only if it is needed */
    RegistryAddress(ElasticJobProperties.Registry properties, Supplier<EmbeddedZooKeeper> embedded) {
        this.properties = properties;
        this.embedded = embedded;
    }

    /** Starts the embedded server if it is used. */
    @Override
    public String getConnectString() {
        String connectString = properties.connectString();
        if (connectString != null && !connectString.isBlank()) {
            if (properties.embedded().enabled()) {
                log.info("Joining the registry at \"{}\"; the embedded ZooKeeper is not started", connectString);
            }
            return connectString;
        }
        if (properties.embedded().enabled()) {
            return embedded.get().connectString();
        }
        throw new FailureAnalyzedException(
                "This application has jobs and needs ZooKeeper, but the property \"elasticjob.registry.connect-string\" is not"
                        + " set.",
                "Set \"elasticjob.registry.connect-string\" to your servers, for example \"zk1:2181,zk2:2181\". To try things"
                        + " without a server, set \"elasticjob.registry.embedded.enabled\" to true. To run without jobs,"
                        + " set \"elasticjob.enabled\" to false.");
    }
}
