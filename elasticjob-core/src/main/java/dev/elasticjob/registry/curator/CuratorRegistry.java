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
import org.apache.zookeeper.ZooKeeper;

/**
 * The registry on ZooKeeper, through Curator, which maintains the connection and creates new sessions. Requests bypass
 * its retry loop: each is sent once, on the raw handle.
 *
 * <p>If there is a digest, all nodes that this registry creates can be read and written only with it. {@link
 * ClientOptions.Acl} lists the alternatives.
 */
public final class CuratorRegistry implements Registry {
    private final RegistrySettings settings;
    private final CuratorNamespace namespace;
    private final CuratorClient client;
    private final CuratorTransport transport;
    private final CuratorWatches watches = new CuratorWatches();
    private final CuratorConnection connection;
    /** Latches that were entered and not released. */
    private final Set<CuratorLatch> latches = ConcurrentHashMap.newKeySet();

    private final DeletionWatches absences = new DeletionWatches();
    private final RegistryUse use = new RegistryUse(this::end);

    private CuratorRegistry(RegistrySettings settings, CuratorClient client, CuratorNamespace.Missing missing) {
        this.settings = settings;
        this.namespace = new CuratorNamespace(
                settings.chroot(), settings.chroot() + "/" + settings.namespace(), client.acl(), missing);
        this.client = client;
        this.transport = new CuratorTransport(namespace, client.acl());
        this.connection = new CuratorConnection(settings, client, namespace, watches);
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
        return connect(settings, ClientOptions.none());
    }

    /** The same, with more to say about the client: TLS, permissions, or anything that Curator's builder can do. */
    public static CuratorRegistry connect(RegistrySettings settings, ClientOptions options) {
        return ready(new CuratorRegistry(
                settings, CuratorClient.build(settings, options), CuratorNamespace.Missing.CREATED));
    }

    /**
     * Connects for somebody who looks at jobs and takes part in none: the same, but a namespace that doesn't exist is not
     * created. As long as it doesn't, there are no jobs in it.
     */
    public static CuratorRegistry connectToLook(RegistrySettings settings, ClientOptions options) {
        return ready(new CuratorRegistry(
                settings, CuratorClient.build(settings, options), CuratorNamespace.Missing.LEFT_MISSING));
    }

    /**
     * A registry on a client that is in use already, which {@link #close()} doesn't close. It shares the client's session:
     * the nodes of this process end with that. Of the settings, only the namespace and the connection timeout apply, and of
     * the options the permissions; a namespace of the client's own is ignored.
     *
     * @param client is started, and connects without a chroot
     * @throws IllegalArgumentException if it isn't
     */
    public static CuratorRegistry on(CuratorFramework client, RegistrySettings settings, ClientOptions options) {
        String servers = client.getZookeeperClient().getCurrentConnectionString();
        CuratorClient shared = CuratorClient.of(client, settings, options);
        return ready(
                new CuratorRegistry(settings.withConnectString(servers), shared, CuratorNamespace.Missing.CREATED));
    }

    private static CuratorRegistry ready(CuratorRegistry registry) {
        try {
            registry.client.start(registry.connection);
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
        return watches.watch(namespace.node(path), scope, lookAgain);
    }

    @Override
    public CompletionStage<Void> awaitAbsence(String path) {
        return attempt(handle -> absences.await(handle.zooKeeper(), namespace.node(path)));
    }

    @Override
    public Latch enterLatch(String path, String id) {
        var latch = new CuratorLatch(client.framework(), namespace.node(path), id);
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
        client.close(connection);
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
            var unreachable = new RegistryUnreachableException(
                    "A ZooKeeper server was expected to answer at \"%s\" within %s, but none did. Start it, correct \"elasticjob.registry.connect-string\", or raise \"elasticjob.registry.connection-timeout\"."
                            .formatted(settings.connectString(), DurationText.of(timeout)),
                    settings,
                    e);
            throw client.tlsProblem()
                    .map(problem -> unreachable.becauseOf(problem, "the client's TLS settings"))
                    .orElse(unreachable);
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
}
