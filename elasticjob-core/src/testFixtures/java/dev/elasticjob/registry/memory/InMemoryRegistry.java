package dev.elasticjob.registry.memory;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.Latch;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.RegistryUse;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.registry.memory.MemoryConnection.Effect;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client of an {@link InMemoryEnsemble}, with its own session. It is connected from its creation.
 *
 * <p>Everything happens on the executor: each request that reaches the ensemble, and each answer, event and connection
 * state that reaches the client, is a separate task, which handles the oldest of its kind. On an executor with several
 * threads, this is an ordinary registry. An executor that runs its tasks on a single thread, in an order of its choice,
 * controls every interleaving. Only {@link #close()} takes effect at once, though its session ends by a request.
 */
public final class InMemoryRegistry implements Registry {
    private static final Logger log = LoggerFactory.getLogger(InMemoryRegistry.class);

    private final InMemoryEnsemble ensemble;
    private final MemoryConnection connection;
    private final MemoryWatches watches;
    private final List<Consumer<ConnectionState>> listeners = new CopyOnWriteArrayList<>();
    private final RegistryUse use = new RegistryUse(this::end);
    private volatile Status status;

    private record Status(ConnectionState state, Optional<RegistrySession> session) {}

    public InMemoryRegistry(InMemoryEnsemble ensemble, Executor executor) {
        this.ensemble = ensemble;
        this.connection = new MemoryConnection(ensemble, new Events(), executor);
        this.watches = new MemoryWatches(ensemble, connection);
        this.status = new Status(ConnectionState.CONNECTED, Optional.of(ensemble.exclusively(connection::begin)));
    }

    @Override
    public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
        List<RegistryRead> asked = List.copyOf(reads);
        Status now = status;
        if (!now.state().isConnected()) {
            return CompletableFuture.failedFuture(notConnected(now));
        }
        if (asked.isEmpty()) {
            return CompletableFuture.completedFuture(new RegistryAnswer(Map.of(), Map.of()));
        }
        return connection.send(Effect.READS, asked.get(0).path(), () -> answer(asked));
    }

    @Override
    public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
        Status now = status;
        if (!now.state().isConnected()) {
            return CompletableFuture.failedFuture(notConnected(now));
        }
        if (now.session().stream().noneMatch(present -> present.id() == session.id())) {
            return CompletableFuture.failedFuture(new RegistryUnavailableException(
                    ("The transaction belongs to session 0x%x, but the current one is %s. It was not sent; read again"
                                    + " and plan again")
                            .formatted(session.id(), now.session())));
        }
        if (commit.isEmpty()) {
            return CompletableFuture.completedFuture(
                    new CommitOutcome.Committed(OptionalLong.empty(), Optional.empty()));
        }
        return connection.send(
                Effect.WRITES,
                commit.operations().get(0).path(),
                () -> ensemble.commit(inSession(session, commit), commit));
    }

    @Override
    public Subscription watch(String path, WatchScope scope, Runnable lookAgain) {
        return watches.watch(path, scope, guarded("A watch on \"" + path + "\"", lookAgain));
    }

    /** How many subscriptions and awaited absences this client has. */
    public int watches() {
        return watches.count();
    }

    @Override
    public CompletionStage<Void> awaitAbsence(String path) {
        Status now = status;
        return now.state().isConnected()
                ? watches.awaitAbsence(path)
                : CompletableFuture.failedFuture(notConnected(now));
    }

    @Override
    public Latch enterLatch(String path, String id) {
        var latch = new MemoryLatch(ensemble, connection, path, id);
        if (!status.state().isConnected()) {
            latch.fail("there is no connection");
            return latch;
        }
        watches.add(latch);
        return latch.enter();
    }

    @Override
    public Optional<RegistrySession> session() {
        return status.session();
    }

    @Override
    public ConnectionState connectionState() {
        return status.state();
    }

    @Override
    public Subscription onConnectionState(Consumer<ConnectionState> listener) {
        Consumer<ConnectionState> own = state -> listener.accept(state);
        listeners.add(own);
        return () -> listeners.remove(own);
    }

    /**
     * Cuts the connection. Requests whose answers haven't arrived fail, with an unknown outcome; those in transit may
     * still be carried out, until {@link #reconnect()}. The session lives on.
     */
    public void disconnect() {
        ensemble.run(connection::disconnect);
    }

    /**
     * Connects again after {@link #disconnect()}, in the same session if it is still alive, otherwise in a new one
     * (LOST, then RECONNECTED).
     */
    public void reconnect() {
        ensemble.run(connection::reconnect);
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
        status = new Status(ConnectionState.LOST, Optional.empty());
        listeners.clear();
        ensemble.run(() -> {
            connection.close();
            watches.close();
        });
    }

    /**
     * A client's session can change between call and request. A transaction is carried out in its own session only, and
     * only if ZooKeeper would accept it.
     */
    private long inSession(RegistrySession session, RegistryCommit commit) {
        commit.mustFit(0);
        if (connection.sessionId() != session.id()) {
            throw new RegistryUnavailableException(
                    "The session 0x%x of the transaction, which has %d steps, has ended; read again and plan again"
                            .formatted(session.id(), commit.operations().size()));
        }
        return session.id();
    }

    private RegistryAnswer answer(List<RegistryRead> reads) {
        Map<String, Optional<RegistryNode>> nodes = new HashMap<>();
        Map<String, Optional<List<String>>> children = new HashMap<>();
        for (RegistryRead read : reads) {
            if (read instanceof RegistryRead.Children) {
                children.put(read.path(), ensemble.children(read.path()));
            } else {
                nodes.put(read.path(), ensemble.node(read.path()));
            }
        }
        return new RegistryAnswer(nodes, children);
    }

    private static RegistryUnavailableException notConnected(Status now) {
        return new RegistryUnavailableException(
                ("Expected a connection to the registry, but its state is %s. Nothing was sent; try again when the"
                                + " connection is back")
                        .formatted(now.state()));
    }

    private static Runnable guarded(String what, Runnable callback) {
        return () -> {
            try {
                callback.run();
            } catch (RuntimeException e) {
                log.error("{} failed; the event is not handled", what, e);
            }
        };
    }

    private final class Events implements MemoryConnection.Client {
        @Override
        public void stateChanged(ConnectionState state, Optional<RegistrySession> session) {
            ensemble.run(() -> {
                if (!watches.isClosed()) {
                    status = new Status(state, session);
                }
            });
            listeners.forEach(listener -> guarded("A listener of " + state, () -> listener.accept(state))
                    .run());
        }

        @Override
        public void connected() {
            watches.renew();
        }

        @Override
        public void sessionEnded() {
            watches.sessionEnded();
        }

        @Override
        public void changed(MemoryTree.Change change) {
            watches.changed(change);
        }
    }
}
