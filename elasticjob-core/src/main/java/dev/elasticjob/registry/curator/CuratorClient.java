package dev.elasticjob.registry.curator;

import dev.elasticjob.registry.RegistryUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.curator.retry.BoundedExponentialBackoffRetry;
import org.apache.curator.utils.DefaultZookeeperFactory;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/** The Curator client of a registry: either built from the settings, and closed with it, or the application's own. */
final class CuratorClient {
    private final CuratorFramework framework;
    private final Handles handles;
    private final List<ACL> acl;
    private final Optional<Ours> ours;

    /**
     * What a client that we build was built with. What an application has built its own with is not known.
     *
     * @param requested session timeout
     */
    private record Ours(String servers, Duration requested, ZKClientConfig config) {}

    /** Gives the ZooKeeper handle that is in use; null if there is none. Doesn't block. */
    interface Handles {
        @Nullable
        ZooKeeper newest();
    }

    private CuratorClient(CuratorFramework framework, Handles handles, List<ACL> acl, Optional<Ours> ours) {
        this.framework = framework;
        this.handles = handles;
        this.acl = acl;
        this.ours = ours;
    }

    /** Builds a client that is not started yet. */
    static CuratorClient build(RegistrySettings settings, ClientOptions options) {
        RegistrySettings.Retry retry = settings.retry();
        var builder = CuratorFrameworkFactory.builder()
                // The chroot is a part of our root, because with ZooKeeper's own, a transaction loses the option to
                // return Stats.
                .connectString(settings.servers())
                // Disabled, because the ensemble's own addresses can't be reached from here if addresses are
                // translated.
                .ensembleTracker(false)
                .zkClientConfig(config(options))
                .sessionTimeoutMs((int) settings.sessionTimeout().toMillis())
                .connectionTimeoutMs((int) shorter(settings.connectionTimeout(), settings.sessionTimeout())
                        .toMillis())
                .retryPolicy(new BoundedExponentialBackoffRetry(
                        (int) retry.baseSleep().toMillis(),
                        (int) retry.maxSleep().toMillis(),
                        retry.maxRetries()))
                .zookeeperFactory(PromptRetries.within(settings.connectionTimeout()))
                .aclProvider(new OneAcl(acl(settings, options.acl())));
        settings.digest().ifPresent(digest -> builder.authorization("digest", digest.getBytes(StandardCharsets.UTF_8)));
        options.customizer().accept(builder);
        var handles = new NewestHandle(builder.getZookeeperFactory());
        // Paths already contain the namespace.
        CuratorFramework framework =
                builder.namespace(null).zookeeperFactory(handles).build();
        var ours = new Ours(
                settings.servers(), Duration.ofMillis(builder.getSessionTimeoutMs()), clientConfig(builder, options));
        return new CuratorClient(framework, handles, builder.getAclProvider().getDefaultAcl(), Optional.of(ours));
    }

    /** Takes a client that the application starts and closes. */
    static CuratorClient of(CuratorFramework client, RegistrySettings settings, ClientOptions options) {
        if (client.getState() != CuratorFrameworkState.STARTED) {
            throw new IllegalArgumentException(
                    "The CuratorFramework was expected to be started, but is %s. Start it where it is created, for example with @Bean(initMethod = \"start\", destroyMethod = \"close\")."
                            .formatted(client.getState()));
        }
        String connectString = client.getZookeeperClient().getCurrentConnectionString();
        if (connectString.contains("/")) {
            throw new IllegalArgumentException(
                    "The CuratorFramework was expected to have no chroot, but its connect string is \"%s\". Remove the path there, and put it before the namespace in \"elasticjob.registry.namespace\"."
                            .formatted(connectString));
        }
        CuratorFramework whole = client.usingNamespace(null);
        return new CuratorClient(whole, new HandleOf(whole), acl(settings, options.acl()), Optional.empty());
    }

    CuratorFramework framework() {
        return framework;
    }

    Handles handles() {
        return handles;
    }

    /** The permissions of all nodes. */
    List<ACL> acl() {
        return acl;
    }

    /** The session timeout that the client requests; empty if that isn't known. */
    Optional<Duration> requestedTimeout() {
        return ours.map(Ours::requested);
    }

    /** What keeps the client from its servers, if that is their encryption. Blocks for a few seconds at most. */
    Optional<TlsProblem> tlsProblem() {
        return ours.flatMap(built -> new TlsDiagnosis(built.config()).of(built.servers()));
    }

    /** Reports states from now on. Starts the client, unless it is the application's own. */
    void start(CuratorConnection connection) {
        framework.getConnectionStateListenable().addListener(connection);
        if (ours.isPresent()) {
            framework.start();
        } else {
            connection.join(framework);
        }
    }

    /** Closes the client, unless it is the application's own. */
    void close(ConnectionStateListener connection) {
        framework.getConnectionStateListenable().removeListener(connection);
        if (ours.isPresent()) {
            framework.close();
        }
    }

    /** Curator warns of a session that ends before it has waited for its connection. */
    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static ZKClientConfig clientConfig(CuratorFrameworkFactory.Builder builder, ClientOptions options) {
        ZKClientConfig given = builder.getZkClientConfig();
        return given == null ? config(options) : given;
    }

    private static List<ACL> acl(RegistrySettings settings, ClientOptions.Acl acl) {
        boolean creator = acl == ClientOptions.Acl.CREATOR
                || (acl == ClientOptions.Acl.AUTOMATIC && settings.digest().isPresent());
        return creator ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE;
    }

    /**
     * An answer above the client's limit would close the connection of all jobs, and the request would be sent again.
     */
    private static ZKClientConfig config(ClientOptions options) {
        ZKClientConfig config = new ClientConfig();
        config.setProperty(ZKConfig.JUTE_MAXBUFFER, String.valueOf(AnswerSizes.MAX_ANSWER));
        options.properties().forEach(config::setProperty);
        return config;
    }

    /**
     * The client's properties; one that isn't set has the value of the JVM's property of that name. ZooKeeper's own class
     * copies those of TLS when it is created, and to learn their names, it loads the JVM's trust store, without
     * TLS too: measured as 0.1 s.
     */
    static final class ClientConfig extends ZKClientConfig {
        /** Copies nothing: properties are looked up when they are asked for. */
        @Override
        protected void handleBackwardCompatibility() {}

        @Override
        public @Nullable String getProperty(String key) {
            String own = super.getProperty(key);
            return own == null ? System.getProperty(key) : own;
        }

        @Override
        public String getProperty(String key, String defaultValue) {
            String value = getProperty(key);
            return value == null ? defaultValue : value;
        }
    }

    /**
     * Remembers the handle that Curator made last. Asking Curator for it could block the caller, because Curator closes
     * and replaces handles in that call.
     */
    private static final class NewestHandle implements ZookeeperFactory, Handles {
        private final ZookeeperFactory factory;
        private volatile @Nullable ZooKeeper newest;

        NewestHandle(@Nullable ZookeeperFactory factory) {
            this.factory = factory == null ? new DefaultZookeeperFactory() : factory;
        }

        @Override
        public @Nullable ZooKeeper newest() {
            return newest;
        }

        @Override
        public ZooKeeper newZooKeeper(String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly)
                throws Exception {
            ZooKeeper made = factory.newZooKeeper(connectString, sessionTimeout, watcher, canBeReadOnly);
            newest = made;
            return made;
        }

        /** The variant that Curator calls if it has a configuration. */
        @Override
        public ZooKeeper newZooKeeper(
                String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly, ZKClientConfig config)
                throws Exception {
            ZooKeeper made = factory.newZooKeeper(connectString, sessionTimeout, watcher, canBeReadOnly, config);
            newest = made;
            return made;
        }
    }

    /** Asks Curator only while it is connected, because it doesn't block then. */
    private record HandleOf(CuratorFramework framework) implements Handles {
        @Override
        public @Nullable ZooKeeper newest() {
            try {
                return framework.getZookeeperClient().isConnected()
                        ? framework.getZookeeperClient().getZooKeeper()
                        : null;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RegistryUnavailableException("Interrupted while asking for the connection", false, e);
            } catch (Exception e) {
                throw new RegistryUnavailableException(
                        "The CuratorFramework has no connection; try again when it is back", false, e);
            }
        }
    }

    /** The same permissions for every node that a recipe creates. */
    private record OneAcl(List<ACL> acl) implements ACLProvider {
        @Override
        public List<ACL> getDefaultAcl() {
            return acl;
        }

        @Override
        public List<ACL> getAclForPath(String path) {
            return acl;
        }
    }
}
