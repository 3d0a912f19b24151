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
            digest = StringUtils.hasText(digest) ? digest : null;
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
            bundle = StringUtils.hasText(bundle) ? bundle : null;
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
            @DefaultValue("elasticjob-kubernetes") String lease,
            @DefaultValue DigestSecret digestSecret) {
        /** An empty namespace is none. */
        public Kubernetes {
            namespace = StringUtils.hasText(namespace) ? namespace : null;
        }
    }

    /**
     * A key of a Secret.
     *
     * @param name Name of the Secret.
     * @param key Key in it whose value is "user:password".
     */
    public record DigestSecret(
            @Nullable String name, @DefaultValue("digest") String key) {
        /** An empty name is none. */
        public DigestSecret {
            name = StringUtils.hasText(name) ? name : null;
        }
    }
}
