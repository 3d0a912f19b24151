package dev.elasticjob.kubernetes;

import dev.elasticjob.registry.curator.ClientOptions;
import dev.elasticjob.registry.curator.RegistrySettings;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

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
     * @param acl Clients that may use the nodes that the controller creates, as "elasticjob.registry.acl" of the applications.
     * @param ssl Encryption of the connection, as "elasticjob.registry.ssl" of the applications.
     * @param sessionTimeout Session timeout of the controller's connections.
     * @param connectionTimeout Maximum time for a connection attempt.
     */
    public record Registry(
            @DefaultValue("") String connectString,
            @Nullable String digest,
            @DefaultValue("automatic") ClientOptions.Acl acl,
            @DefaultValue Ssl ssl,
            @DefaultValue("20s") Duration sessionTimeout,
            @DefaultValue("5s") Duration connectionTimeout) {
        /** An empty digest is none, as in the applications. */
        public Registry {
            digest = textOrNull(digest);
        }

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
     * Encryption of the connection.
     *
     * @param enabled Whether the connection is encrypted. True by default if there is a bundle.
     * @param bundle Name of the SSL bundle with the trusted certificates and, for mutual TLS, the controller's own. The JVM's
     *     certificates by default.
     */
    public record Ssl(@Nullable Boolean enabled, @Nullable String bundle) {
        /** An empty name is none, as in the applications. */
        public Ssl {
            bundle = textOrNull(bundle);
        }

        boolean isEncrypted() {
            return enabled == null ? bundle != null : enabled;
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
            @DefaultValue(Kubernetes.LEASE) String lease,
            @DefaultValue DigestSecret digestSecret) {
        private static final String LEASE = "elasticjob-kubernetes";

        /** An empty namespace is none, and for an empty name of the Lease its default counts. */
        public Kubernetes {
            namespace = textOrNull(namespace);
            lease = StringUtils.hasText(lease) ? lease : LEASE;
        }
    }

    /**
     * A key of a Secret.
     *
     * @param name Name of the Secret.
     * @param key Key in it whose value is "user:password".
     */
    public record DigestSecret(
            @Nullable String name,
            @DefaultValue(DigestSecret.KEY) String key) {
        private static final String KEY = "digest";

        /** An empty name is none, and for an empty key its default counts. */
        public DigestSecret {
            name = textOrNull(name);
            key = StringUtils.hasText(key) ? key : KEY;
        }
    }

    private static @Nullable String textOrNull(@Nullable String text) {
        return StringUtils.hasText(text) ? text : null;
    }
}
