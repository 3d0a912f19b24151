package dev.elasticjob.simulation;

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
import dev.elasticjob.time.TaskTimer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client of the simulated ensemble. For the one thread of its world. */
final class SimulatedRegistry implements Registry {
    private static final Logger log = LoggerFactory.getLogger(SimulatedRegistry.class);

    private final String name;
    private final Network network;
    private final Connection connection;
    private final Awaited awaited;
    private final List<Consumer<ConnectionState>> listeners = new ArrayList<>();
    private final RegistryUse use = new RegistryUse(this::end);
    private ConnectionState state = ConnectionState.CONNECTED;
    private Optional<RegistrySession> session;
    private boolean closed;

    SimulatedRegistry(String name, Network network, TaskTimer timer) {
        this.name = name;
        this.network = network;
        this.connection = new Connection(network, timer, new Told());
        this.awaited = new Awaited(connection);
        this.session = Optional.of(connection.begin());
    }

    Network network() {
        return network;
    }

    Connection connection() {
        return connection;
    }

    @Override
    public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
        if (!state.isConnected()) {
            return notConnected();
        }
        if (reads.isEmpty()) {
            return CompletableFuture.completedFuture(new RegistryAnswer(Map.of(), Map.of()));
        }
        List<RegistryRead> asked = List.copyOf(reads);
        return connection.send(false, asked.get(0).path(), server -> answer(server, asked));
    }

    /** Each part is read at a moment of its own, and in any order: the server goes on between them. */
    private RegistryAnswer answer(Server server, List<RegistryRead> asked) {
        List<RegistryRead> reads = new ArrayList<>(asked);
        Collections.shuffle(reads, network.random());
        Map<String, Optional<RegistryNode>> nodes = new HashMap<>();
        Map<String, Optional<List<String>>> children = new HashMap<>();
        for (RegistryRead read : reads) {
            if (server.isReady() && network.random().nextInt(4) == 0) {
                server.step();
            }
            if (read instanceof RegistryRead.Children) {
                children.put(read.path(), server.replica().children(read.path()));
            } else {
                nodes.put(read.path(), server.replica().node(read.path()));
            }
        }
        RegistryAnswer answer = new RegistryAnswer(nodes, children);
        nodes.forEach(
                (path, node) -> node.ifPresent(seen -> network.quorum().read(connection.sessionId(), path, seen)));
        return answer;
    }

    @Override
    public CompletionStage<CommitOutcome> commit(RegistrySession in, RegistryCommit commit) {
        if (!state.isConnected()) {
            return notConnected();
        }
        if (session.stream().noneMatch(present -> present.id() == in.id()) || connection.sessionId() != in.id()) {
            return CompletableFuture.failedFuture(
                    new RegistryUnavailableException("The transaction belongs to a session that is over: not sent"));
        }
        if (commit.isEmpty()) {
            return CompletableFuture.completedFuture(
                    new CommitOutcome.Committed(OptionalLong.empty(), Optional.empty()));
        }
        return connection.send(true, commit.operations().get(0).path(), server -> carryOut(in, commit));
    }

    @Override
    public int bytesPerCommit() {
        return network.bytesPerCommit();
    }

    private CommitOutcome carryOut(RegistrySession in, RegistryCommit commit) {
        commit.mustFit(0);
        CommitOutcome outcome = network.quorum().commit(in.id(), commit);
        network.trace().note(name, () -> "in session %d: %s -> %s".formatted(in.id(), Trace.describe(commit), outcome));
        return outcome;
    }

    @Override
    public Subscription watch(String path, WatchScope scope, Runnable lookAgain) {
        return awaited.watch(path, scope, guarded(lookAgain));
    }

    @Override
    public CompletionStage<Void> awaitAbsence(String path) {
        return state.isConnected() ? awaited.absence(path) : notConnected();
    }

    @Override
    public Latch enterLatch(String path, String id) {
        SimulatedLatch latch = new SimulatedLatch(network.quorum(), connection, path);
        if (state.isConnected()) {
            awaited.add(latch);
            latch.enter();
        } else {
            latch.fail("there is no connection");
        }
        return latch;
    }

    @Override
    public Optional<RegistrySession> session() {
        return session;
    }

    @Override
    public ConnectionState connectionState() {
        return state;
    }

    @Override
    public Subscription onConnectionState(Consumer<ConnectionState> listener) {
        Consumer<ConnectionState> own = listener::accept;
        listeners.add(own);
        return () -> listeners.remove(own);
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
        closed = true;
        state = ConnectionState.LOST;
        session = Optional.empty();
        listeners.clear();
        awaited.sessionEnded();
        connection.close();
    }

    private <T> CompletionStage<T> notConnected() {
        return CompletableFuture.failedFuture(
                new RegistryUnavailableException("There is no connection, but %s: nothing was sent".formatted(state)));
    }

    private static Runnable guarded(Runnable callback) {
        return () -> {
            try {
                callback.run();
            } catch (RuntimeException e) {
                log.error("A watch failed", e);
            }
        };
    }

    private final class Told implements Connection.Client {
        @Override
        public void stateChanged(ConnectionState next, Optional<RegistrySession> present) {
            if (closed) {
                return;
            }
            state = next;
            session = present;
            network.trace().note(name, () -> next + " in " + present);
            List.copyOf(listeners).forEach(listener -> listener.accept(next));
        }

        @Override
        public void connected(Server server) {
            awaited.renew(server);
        }

        @Override
        public void sessionEnded() {
            awaited.sessionEnded();
        }

        @Override
        public void changed(Replica.Change change) {
            awaited.changed(change);
        }
    }
}
