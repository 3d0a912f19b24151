package dev.elasticjob.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * The address of the registry's servers, and how to encrypt the connection. A bean of this type replaces {@code
 * elasticjob.registry.connect-string}, {@code elasticjob.registry.ssl} and the embedded server.
 */
public interface ZooKeeperConnectionDetails extends ConnectionDetails {
    /** Servers as {@code host:port}, separated by commas. */
    String getConnectString();

    /** The certificates to use; null for a connection without TLS. */
    default @Nullable SslBundle getSslBundle() {
        return null;
    }
}
