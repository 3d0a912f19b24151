package dev.elasticjob.registry.curator;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.Latch;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.RegistryUse;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.time.DurationText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.BoundedExponentialBackoffRetry;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.data.ACL;

/**
 * The registry on ZooKeeper, through Curator, which maintains the connection and creates new sessions. Requests bypass
 * its retry loop: each is sent once, on the raw handle.
 *
 * <p>If there is a digest, all nodes that this registry creates can be read and written only with it.
 */
public final class CuratorRegistry implements Registry {
    private final RegistrySettings settings;
    private final String root;
    private final NewestHandle handles = new NewestHandle();
    private final CuratorFramework client;
    private final CuratorTransport transport;
    private final CuratorWatches watches = new CuratorWatches();
    private final CuratorConnection connection;
    /** Latches that were entered and not released. */
    private final Set<CuratorLatch> latches = ConcurrentHashMap.newKeySet();

    private final DeletionWatches absences = new DeletionWatches();
    private final RegistryUse use = new RegistryUse(this::end);

    private CuratorRegistry(RegistrySettings settings) {
        this.settings = settings;
        this.root = settings.chroot() + "/" + settings.namespace();
        List<ACL> acl = settings.digest().isPresent() ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE;
        this.client = client(settings, acl, handles);
        this.transport = new CuratorTransport(root, acl);
        this.connection =
                new CuratorConnection(settings, handles, new CuratorNamespace(settings.chroot(), root, acl), watches);
    }

    /**
     * Connects at the start of an application, and waits for the connection up to the connection timeout. The namespace
     * exists when this method returns.
     *
     * @throws RegistryUnreachableException if there is no connection in time
     * @throws ChrootMissingException if the connect string has a chroot that doesn't exist
     * @throws dev.elasticjob.registry.RegistryAccessDeniedException if the namespace belongs to another digest
     */
    public static CuratorRegistry connect(RegistrySettings settings) {
        var registry = new CuratorRegistry(settings);
        try {
            registry.client.getConnectionStateListenable().addListener(registry.connection);
            registry.client.start();
            registry.awaitReady();
            return registry;
        } catch (RuntimeException e) {
            registry.close();
            throw e;
        }
    }

    @Override
    public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
        return attempt(handle -> transport.read(handle.zooKeeper(), List.copyOf(reads)));
    }

    @Override
    public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
        return attempt(handle -> {
            ZooKeeper zooKeeper = handle.zooKeeper();
            if (zooKeeper.getSessionId() != session.id()) {
                throw new RegistryUnavailableException(
                        ("The transaction belongs to session 0x%x, but the current one is 0x%x. It was not sent; read"
                                        + " again and plan again")
                                .formatted(session.id(), zooKeeper.getSessionId()));
            }
            return transport.commit(zooKeeper, commit);
        });
    }

    @Override
    public Subscription watch(String path, WatchScope scope, Runnable lookAgain) {
        return watches.watch(root + path, scope, lookAgain);
    }

    @Override
    public CompletionStage<Void> awaitAbsence(String path) {
        return attempt(handle -> absences.await(handle.zooKeeper(), root + path));
    }

    @Override
    public Latch enterLatch(String path, String id) {
        var latch = new CuratorLatch(client, root + path, id);
        try {
            connection.usable();
        } catch (RegistryUnavailableException e) {
            latch.end(e);
            return latch;
        }
        latches.add(latch);
        latch.enter(this::onConnectionState);
        latch.onEnd(() -> latches.remove(latch));
        return latch;
    }

    @Override
    public Optional<RegistrySession> session() {
        return connection.session();
    }

    @Override
    public ConnectionState connectionState() {
        return connection.state();
    }

    @Override
    public Subscription onConnectionState(Consumer<ConnectionState> listener) {
        return connection.onState(listener);
    }

    @Override
    public Optional<Subscription> reserve(String jobName) {
        return use.reserve(jobName);
    }

    @Override
    public Subscription keepOpen() {
        return use.keepOpen();
    }

    @Override
    public void close() {
        use.close();
    }

    private void end() {
        connection.close();
        watches.close();
        latches.forEach(CuratorLatch::close);
        client.close();
    }

    private <T> CompletionStage<T> attempt(Function<CuratorConnection.Handle, CompletableFuture<T>> request) {
        try {
            return request.apply(connection.usable());
        } catch (Throwable e) {
            // ZooKeeper's client throws on malformed paths, but the port always returns a stage.
            return CompletableFuture.failedFuture(ZooKeeperCodes.failed(e));
        }
    }

    private void awaitReady() {
        Duration timeout = settings.connectionTimeout();
        try {
            connection.ready().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new RegistryUnreachableException(
                    "A ZooKeeper server was expected to answer at \"%s\" within %s, but none did. Start it, correct \"elasticjob.registry.connect-string\", or raise \"elasticjob.registry.connection-timeout\"."
                            .formatted(settings.connectString(), DurationText.of(timeout)),
                    settings,
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RegistryUnreachableException(
                    "The application was stopped while it waited for a ZooKeeper server at \"%s\" to answer: start it again."
                            .formatted(settings.connectString()),
                    settings,
                    e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(
                    "The namespace \"%s\" could not be created: see the cause".formatted(settings.namespace()), e);
        }
    }

    private static CuratorFramework client(RegistrySettings settings, List<ACL> acl, NewestHandle handles) {
        RegistrySettings.Retry retry = settings.retry();
        var builder = CuratorFrameworkFactory.builder()
                // The chroot is a part of our root, because with ZooKeeper's own, a transaction loses the option to
                // return Stats.
                .connectString(settings.servers())
                // Disabled, because the ensemble's own addresses can't be reached from here if addresses are
                // translated.
                .ensembleTracker(false)
                .zkClientConfig(largeAnswers())
                .zookeeperFactory(handles)
                .sessionTimeoutMs((int) settings.sessionTimeout().toMillis())
                .connectionTimeoutMs((int) settings.connectionTimeout().toMillis())
                .retryPolicy(new BoundedExponentialBackoffRetry(
                        (int) retry.baseSleep().toMillis(),
                        (int) retry.maxSleep().toMillis(),
                        retry.maxRetries()))
                .aclProvider(new OneAcl(acl));
        settings.digest().ifPresent(digest -> builder.authorization("digest", digest.getBytes(StandardCharsets.UTF_8)));
        return builder.build();
    }

    /**
     * An answer above the client's limit would close the connection of all jobs, and the request would be sent again.
     */
    private static ZKClientConfig largeAnswers() {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKConfig.JUTE_MAXBUFFER, String.valueOf(AnswerSizes.MAX_ANSWER));
        return config;
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
