package dev.elasticjob.registry.curator;

import dev.elasticjob.job.Failures;
import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of the connection, and the handle on which requests are sent. A thread of Curator changes it, and delivers
 * the states in order; any thread may read it. The thread that {@linkplain #join joins} a connected client changes it
 * as well, so changes are guarded by this object's monitor.
 */
final class CuratorConnection implements ConnectionStateListener {
    private static final Logger log = LoggerFactory.getLogger(CuratorConnection.class);

    private final String connectString;
    /** The session timeout that was requested; empty if that isn't known, because the client is the application's own. */
    private final Optional<Duration> asked;

    private final CuratorClient.Handles handles;
    private final CuratorNamespace namespace;
    private final CuratorWatches watches;
    private final List<Consumer<ConnectionState>> listeners = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private volatile Status status = new Status(ConnectionState.LATENT, null);
    /** The handle in whose session the namespace is known to exist. */
    private volatile @Nullable Handle prepared;

    private volatile boolean closed;

    /** A ZooKeeper client, and the session it has now. */
    record Handle(ZooKeeper zooKeeper, RegistrySession session) {}

    private record Status(ConnectionState state, @Nullable Handle handle) {}

    CuratorConnection(
            RegistrySettings settings, CuratorClient client, CuratorNamespace namespace, CuratorWatches watches) {
        this.connectString = settings.connectString();
        this.asked = client.requestedTimeout();
        this.handles = client.handles();
        this.namespace = namespace;
        this.watches = watches;
    }

    /** Completes with the first connection, once the namespace exists; fails if it can't be created. */
    CompletableFuture<Void> ready() {
        return ready;
    }

    ConnectionState state() {
        return closed ? ConnectionState.LOST : status.state();
    }

    Optional<RegistrySession> session() {
        Handle handle = status.handle();
        return closed || handle == null ? Optional.empty() : Optional.of(handle.session());
    }

    /**
     * The handle on which to send now.
     *
     * @throws RegistryUnavailableException if there is no connection: requests are not queued
     */
    Handle usable() {
        Status now = status;
        Handle handle = now.handle();
        if (closed
                || handle == null
                || !now.state().isConnected()
                || !handle.zooKeeper().getState().isConnected()) {
            throw new RegistryUnavailableException(
                    ("Expected a connection to the registry at \"%s\", but its state is %s. Nothing was sent; try"
                                    + " again when the connection is back")
                            .formatted(connectString, closed ? "CLOSED" : now.state()));
        }
        return handle;
    }

    Subscription onState(Consumer<ConnectionState> listener) {
        Consumer<ConnectionState> own = state -> listener.accept(state);
        listeners.add(own);
        return () -> listeners.remove(own);
    }

    /** Begins with a client that may be connected already, and then doesn't report it. */
    synchronized void join(CuratorFramework client) {
        if (status.state() == ConnectionState.LATENT
                && client.getZookeeperClient().isConnected()) {
            stateChanged(client, org.apache.curator.framework.state.ConnectionState.CONNECTED);
        }
    }

    void close() {
        closed = true;
        listeners.clear();
    }

    @Override
    public synchronized void stateChanged(
            CuratorFramework client, org.apache.curator.framework.state.ConnectionState newState) {
        ConnectionState state = ConnectionState.valueOf(newState.name());
        Handle handle = handleIn(state);
        CompletableFuture<Void> namespacePrepared = null;
        if (state.isConnected() && handle != null) {
            // Sent before any listener is called, so that the requests of listeners follow on the same handle.
            namespacePrepared = prepareNamespace(handle);
            watches.renewOn(handle.zooKeeper());
        }
        status = new Status(state, handle);
        log.info("Registry at \"{}\": {}{}", connectString, state, describe(handle));
        if (namespacePrepared != null) {
            namespacePrepared.whenComplete((done, failure) -> prepared(handle, failure));
        }
        listeners.forEach(listener -> call(listener, state));
    }

    private @Nullable Handle handleIn(ConnectionState state) {
        return switch (state) {
            case CONNECTED, RECONNECTED -> currentHandle();
            case LATENT, LOST -> null;
            case SUSPENDED, READ_ONLY -> status.handle();
        };
    }

    /** Null if the connected handle is already gone: the event of the next one follows. */
    private @Nullable Handle currentHandle() {
        ZooKeeper zooKeeper = handles.newest();
        if (zooKeeper == null || zooKeeper.getSessionId() == 0) {
            return null;
        }
        var timeout = Duration.ofMillis(zooKeeper.getSessionTimeout());
        return new Handle(zooKeeper, new RegistrySession(zooKeeper.getSessionId(), timeout, asked.orElse(timeout)));
    }

    private CompletableFuture<Void> prepareNamespace(Handle handle) {
        try {
            return handle.equals(prepared)
                    ? CompletableFuture.completedFuture(null)
                    : namespace.prepareOn(handle.zooKeeper());
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(ZooKeeperCodes.failed(e));
        }
    }

    private void prepared(@Nullable Handle handle, @Nullable Throwable failure) {
        if (failure == null) {
            prepared = handle;
            ready.complete(null);
        } else if (!ready.isDone() && !(failure instanceof RegistryUnavailableException)) {
            ready.completeExceptionally(failure);
        } else {
            log.warn("Registry at \"{}\": could not confirm that the namespace exists", connectString, failure);
        }
    }

    private static String describe(@Nullable Handle handle) {
        return handle == null
                ? ""
                : ", session 0x%x, timeout %s"
                        .formatted(
                                handle.session().id(),
                                DurationText.of(handle.session().timeout()));
    }

    private void call(Consumer<ConnectionState> listener, ConnectionState state) {
        try {
            listener.accept(state);
        } catch (Throwable e) {
            log.error(
                    "Registry at \"{}\": a listener failed to handle {}", connectString, state, Failures.printable(e));
        }
    }
}
