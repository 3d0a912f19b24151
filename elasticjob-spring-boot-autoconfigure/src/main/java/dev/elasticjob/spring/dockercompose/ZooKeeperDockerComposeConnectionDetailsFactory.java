package dev.elasticjob.spring.dockercompose;

import dev.elasticjob.spring.autoconfigure.ZooKeeperConnectionDetails;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.boot.ssl.SslBundle;

/**
 * Connects to a service of Docker Compose: one of the image {@code zookeeper} or {@code bitnami/zookeeper}, or of any
 * other image with the label {@code org.springframework.boot.service-connection: zookeeper}. The service publishes
 * ZooKeeper's port, 2181; with Boot's labels for SSL, that port is expected to be encrypted. Created by Spring Boot.
 */
final class ZooKeeperDockerComposeConnectionDetailsFactory
        extends DockerComposeConnectionDetailsFactory<ZooKeeperConnectionDetails> {
    private static final String[] IMAGES = {"zookeeper", "bitnami/zookeeper"};
    private static final int PORT = 2181;

    ZooKeeperDockerComposeConnectionDetailsFactory() {
        super(IMAGES);
    }

    @Override
    protected ZooKeeperConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
        return new OfCompose(source.getRunningService());
    }

    private static final class OfCompose extends DockerComposeConnectionDetails implements ZooKeeperConnectionDetails {
        private final String connectString;
        private final @Nullable SslBundle sslBundle;

        OfCompose(RunningService service) {
            super(service);
            this.connectString = service.host() + ":" + service.ports().get(PORT);
            this.sslBundle = getSslBundle(service);
        }

        @Override
        public String getConnectString() {
            return connectString;
        }

        @Override
        public @Nullable SslBundle getSslBundle() {
            return sslBundle;
        }
    }
}
