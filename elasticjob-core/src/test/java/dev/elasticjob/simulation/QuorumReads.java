package dev.elasticjob.simulation;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.Subscription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Reads what is there at this moment, without a connection. It can do nothing else: looking changes nothing. */
record QuorumReads(Quorum quorum) implements Registry {
    @Override
    public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
        Map<String, Optional<RegistryNode>> nodes = new HashMap<>();
        Map<String, Optional<List<String>>> children = new HashMap<>();
        for (RegistryRead read : reads) {
            if (read instanceof RegistryRead.Children) {
                children.put(read.path(), quorum.tree().children(read.path()));
            } else {
                nodes.put(read.path(), quorum.tree().node(read.path()));
            }
        }
        return CompletableFuture.completedFuture(new RegistryAnswer(nodes, children));
    }

    @Override
    public Optional<RegistrySession> session() {
        return Optional.of(new RegistrySession(0, quorum.sessionTimeout()));
    }

    @Override
    public ConnectionState connectionState() {
        return ConnectionState.CONNECTED;
    }

    @Override
    public void close() {}

    @Override
    public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
        throw new UnsupportedOperationException("it looks");
    }

    @Override
    public Subscription watch(String path, WatchScope scope, Runnable lookAgain) {
        throw new UnsupportedOperationException("it looks");
    }

    @Override
    public CompletionStage<Void> awaitAbsence(String path) {
        throw new UnsupportedOperationException("it looks");
    }

    @Override
    public Latch enterLatch(String path, String id) {
        throw new UnsupportedOperationException("it looks");
    }

    @Override
    public Subscription onConnectionState(Consumer<ConnectionState> listener) {
        throw new UnsupportedOperationException("it looks");
    }

    @Override
    public Optional<Subscription> reserve(String jobName) {
        throw new UnsupportedOperationException("it looks");
    }

    @Override
    public Subscription keepOpen() {
        throw new UnsupportedOperationException("it looks");
    }
}
