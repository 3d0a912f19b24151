package dev.elasticjob.kubernetes;

import dev.elasticjob.registry.curator.RegistrySettings;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the controller. Those of the registry are called as in the applications.
 *
 * @param registry Connection to ZooKeeper, of the controller and of the workers.
 * @param kubernetes What the controller does in the cluster.
 */
@ConfigurationProperties(prefix = "elasticjob")
public record ControllerProperties(
        @DefaultValue Registry registry, @DefaultValue Kubernetes kubernetes) {
    /**
     * The connection to ZooKeeper.
     *
     * @param connectString Servers as "host:port", separated by commas, with an optional chroot. Workers get it too.
     * @param digest Credentials of the controller as "user:password" for ZooKeeper's digest scheme. None by default.
     * @param sessionTimeout Session timeout of the controller's connections.
     * @param connectionTimeout Maximum time for a connection attempt.
     */
    public record Registry(
            @DefaultValue("") String connectString,
            @Nullable String digest,
            @DefaultValue("20s") Duration sessionTimeout,
            @DefaultValue("5s") Duration connectionTimeout) {
        /** Without what is secret. */
        @Override
        public String toString() {
            return "Registry[connectString=%s]".formatted(connectString);
        }

        RegistrySettings of(String namespace) {
            RegistrySettings settings = RegistrySettings.of(connectString, namespace)
                    .withSessionTimeout(sessionTimeout)
                    .withConnectionTimeout(connectionTimeout);
            return Optional.ofNullable(digest).map(settings::withDigest).orElse(settings);
        }
    }

    /**
     * What the controller does in the cluster.
     *
     * @param namespace Namespace in which it looks after applications. Its own by default.
     * @param lease Name of the Lease by which one of several controllers leads.
     * @param digestSecret Secret in which workers find their credentials for ZooKeeper. None by default.
     */
    public record Kubernetes(
            @Nullable String namespace,
            @DefaultValue("elasticjob-kubernetes") String lease,
            @DefaultValue DigestSecret digestSecret) {}

    /**
     * A key of a Secret.
     *
     * @param name Name of the Secret.
     * @param key Key in it whose value is "user:password".
     */
    public record DigestSecret(
            @Nullable String name, @DefaultValue("digest") String key) {}
}
