package dev.elasticjob.spring.testcontainers;

import dev.elasticjob.spring.autoconfigure.ZooKeeperConnectionDetails;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.containers.Container;

/**
 * Connects to a container that is annotated with {@code @ServiceConnection}: one of the image {@code zookeeper}, or of any
 * other image with the name {@code "zookeeper"} in the annotation. The container exposes ZooKeeper's port, 2181; with one
 * of Boot's annotations for SSL beside it, that port is expected to be encrypted. Created by Spring Boot.
 */
final class ZooKeeperContainerConnectionDetailsFactory
        extends ContainerConnectionDetailsFactory<Container<?>, ZooKeeperConnectionDetails> {
    private static final int PORT = 2181;

    ZooKeeperContainerConnectionDetailsFactory() {
        super("zookeeper");
    }

    @Override
    protected ZooKeeperConnectionDetails getContainerConnectionDetails(ContainerConnectionSource<Container<?>> source) {
        return new OfContainer(source);
    }

    private static final class OfContainer extends ContainerConnectionDetails<Container<?>>
            implements ZooKeeperConnectionDetails {
        OfContainer(ContainerConnectionSource<Container<?>> source) {
            super(source);
        }

        @Override
        public String getConnectString() {
            return "%s:%d".formatted(getContainer().getHost(), getContainer().getMappedPort(PORT));
        }

        @Override
        public @Nullable SslBundle getSslBundle() {
            return super.getSslBundle();
        }
    }
}
