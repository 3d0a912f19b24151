package dev.elasticjob.console.standalone;

import dev.elasticjob.console.autoconfigure.ConsoleProperties;
import dev.elasticjob.registry.curator.ClientOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the console as an application of its own. Of those of a console inside an application, it has the path and the
 * roles: it is never unsecured.
 *
 * @param path Path of the console below the context path.
 * @param signOutPath Path below the context path that the page links to for signing out.
 * @param showParameters From which role on the console shows parameters of jobs, items and runs, and values of job
 *     properties, which may be secrets. They are masked for others.
 * @param roles Roles of those who use the console.
 * @param registries Registries that the console shows, by name. The name is part of addresses.
 * @param users Users that sign in with a password, by name.
 * @param rolesClaim Claim of OpenID Connect that lists the user's roles, such as "groups" or "realm_access.roles". None by
 *     default.
 */
@ConfigurationProperties(value = "elasticjob.console", ignoreUnknownFields = false)
public record StandAloneProperties(
        @DefaultValue("/elasticjob") String path,
        @Nullable String signOutPath,
        @DefaultValue("operator") ConsoleProperties.ShowParameters showParameters,
        @DefaultValue ConsoleProperties.Roles roles,
        @DefaultValue Map<String, OneRegistry> registries,
        @DefaultValue Map<String, OneUser> users,
        @Nullable String rolesClaim) {
    /**
     * One registry: a namespace in ZooKeeper.
     *
     * @param connectString ZooKeeper servers as "host:port", separated by commas, with an optional chroot.
     * @param namespace Namespace of the jobs.
     * @param dynamicShardingNamespace Node below which groups of dynamic sharding are, outside of the jobs' namespace, as
     *     "elasticjob.dynamic-sharding.namespace" of the applications.
     * @param digest Credentials as "user:password" for ZooKeeper's digest scheme, the same as the applications'. None by
     *     default.
     * @param acl Clients that may use the nodes that commands create, as "elasticjob.registry.acl" of the applications.
     * @param ssl Encryption of the connection, as "elasticjob.registry.ssl" of the applications.
     * @param sslBundle Short for "ssl.bundle".
     * @param readOnly Whether nobody may change anything in this registry here.
     * @param connectionTimeout Maximum time for a connection attempt.
     * @param sessionTimeout Session timeout of the connection.
     * @param logLink Address in a log system with the lines of an execution, with placeholders such as "{job}", "{item}",
     *     "{runId}", "{instance}", "{from}" and "{to}". No link by default.
     * @param history Database with the event trace of the applications.
     */
    public record OneRegistry(
            @DefaultValue("") String connectString,
            @DefaultValue("") String namespace,
            @DefaultValue("dynamic-sharding") String dynamicShardingNamespace,
            @Nullable String digest,
            @DefaultValue("automatic") ClientOptions.Acl acl,
            @DefaultValue Ssl ssl,
            @Nullable String sslBundle,
            @DefaultValue("false") boolean readOnly,
            @DefaultValue("5s") Duration connectionTimeout,
            @DefaultValue("20s") Duration sessionTimeout,
            @Nullable String logLink,
            @DefaultValue History history) {
        /** Whether the connection is encrypted: if so, by the bundle, or without one as the JVM does. */
        boolean isEncrypted() {
            Boolean enabled = ssl.enabled();
            return enabled == null ? bundle() != null : enabled;
        }

        /** The name of the SSL bundle, however it was set. */
        @Nullable
        String bundle() {
            return ssl.bundle() == null ? sslBundle : ssl.bundle();
        }

        /** Without what is secret. */
        @Override
        public String toString() {
            return "OneRegistry[connectString=%s, namespace=%s, readOnly=%s]"
                    .formatted(connectString, namespace, readOnly);
        }
    }

    /**
     * Encryption of a connection.
     *
     * @param enabled Whether the connection is encrypted. True by default if there is a bundle.
     * @param bundle Name of the SSL bundle with the trusted certificates and, for mutual TLS, the console's own. The JVM's
     *     certificates by default.
     */
    public record Ssl(@Nullable Boolean enabled, @Nullable String bundle) {}

    /**
     * A database with an event trace. It is only read.
     *
     * @param url JDBC address, such as "jdbc:postgresql://db/trace". No history by default.
     * @param username User of the database. None by default.
     * @param password Password of that user. None by default.
     * @param queryTimeout Maximum time that a query waits for the database, up to 5 s.
     */
    public record History(
            @Nullable String url,
            @Nullable String username,
            @Nullable String password,
            @DefaultValue("5s") Duration queryTimeout) {
        /** Without what may be a secret. */
        @Override
        public String toString() {
            return "History[set=%s]".formatted(url != null);
        }
    }

    /**
     * A user that signs in with a password.
     *
     * @param password Password as "{bcrypt}" and its hash.
     * @param roles Roles of the user, such as "viewer", "operator" and "admin".
     */
    public record OneUser(
            @DefaultValue("") String password, @DefaultValue Set<String> roles) {
        /** Without what is secret. */
        @Override
        public String toString() {
            return "OneUser[roles=%s]".formatted(roles);
        }
    }
}
