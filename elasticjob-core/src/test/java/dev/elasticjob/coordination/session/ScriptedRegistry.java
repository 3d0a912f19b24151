package dev.elasticjob.coordination.session;

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
import dev.elasticjob.registry.Subscription;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A registry without a tree: it remembers what is sent, and the test decides what becomes of it. */
public final class ScriptedRegistry implements Registry {
    public final List<Sent> sent = new ArrayList<>();
    private final List<Consumer<ConnectionState>> listeners = new ArrayList<>();
    private ConnectionState state = ConnectionState.CONNECTED;
    private Optional<RegistrySession> session;

    public ScriptedRegistry(RegistrySession session) {
        this.session = Optional.of(session);
    }

    public record Sent(RegistrySession session, RegistryCommit commit, CompletableFuture<CommitOutcome> answer) {
        void carriedOut(Instant time) {
            answer.complete(new CommitOutcome.Committed(OptionalLong.of(1), Optional.of(time)));
        }

        void refused() {
            answer.complete(new CommitOutcome.Refused(CommitOutcome.Reason.WRONG_VERSION, "/orders"));
        }

        void lost() {
            answer.completeExceptionally(
                    new RegistryUnavailableException("lost", true, new IllegalStateException("cut")));
        }

        void neverSent() {
            answer.completeExceptionally(new RegistryUnavailableException("there is no connection"));
        }
    }

    /** The one request that waits for an answer. */
    public Sent last() {
        return sent.get(sent.size() - 1);
    }

    public void become(ConnectionState next) {
        state = next;
        if (next == ConnectionState.LOST) {
            session = Optional.empty();
        }
        List.copyOf(listeners).forEach(listener -> listener.accept(next));
    }

    public void reconnect(RegistrySession next) {
        session = Optional.of(next);
        become(ConnectionState.RECONNECTED);
    }

    public int listeners() {
        return listeners.size();
    }

    @Override
    public CompletionStage<CommitOutcome> commit(RegistrySession inSession, RegistryCommit commit) {
        sent.add(new Sent(inSession, commit, new CompletableFuture<>()));
        return last().answer();
    }

    @Override
    public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
        return CompletableFuture.completedFuture(new RegistryAnswer(Map.of(), Map.of()));
    }

    @Override
    public Subscription watch(String path, WatchScope scope, Runnable lookAgain) {
        return () -> {};
    }

    @Override
    public CompletionStage<Void> awaitAbsence(String path) {
        return new CompletableFuture<>();
    }

    @Override
    public Latch enterLatch(String path, String id) {
        throw new UnsupportedOperationException("nobody enters a latch here");
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
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    @Override
    public Optional<Subscription> reserve(String jobName) {
        return Optional.of(() -> {});
    }

    @Override
    public Subscription keepOpen() {
        return () -> {};
    }

    @Override
    public void close() {
        listeners.clear();
    }
}
