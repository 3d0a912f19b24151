package dev.elasticjob.spring.autoconfigure;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * The address of the registry's servers. A bean of this type replaces {@code elasticjob.registry.connect-string} and
 * the embedded server.
 */
public interface ZooKeeperConnectionDetails extends ConnectionDetails {
    /** Servers as {@code host:port}, separated by commas. */
    String getConnectString();
}
