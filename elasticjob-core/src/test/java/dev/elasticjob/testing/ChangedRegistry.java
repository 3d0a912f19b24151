package dev.elasticjob.testing;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryLatch;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.registry.WatchScope;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A registry with one thing changed: the place to break a rule and see who notices. */
public abstract class ChangedRegistry implements Registry {
    private final Registry registry;

    protected ChangedRegistry(Registry registry) {
        this.registry = registry;
    }

    /** What goes out in place of a transaction. */
    protected RegistryCommit sent(RegistryCommit commit) {
        return commit;
    }

    @Override
    public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
        return registry.read(reads);
    }

    @Override
    public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
        return registry.commit(session, sent(commit));
    }

    @Override
    public Subscription watch(String path, WatchScope scope, Runnable lookAgain) {
        return registry.watch(path, scope, lookAgain);
    }

    @Override
    public CompletionStage<Void> awaitAbsence(String path) {
        return registry.awaitAbsence(path);
    }

    @Override
    public RegistryLatch enterLatch(String path, String id) {
        return registry.enterLatch(path, id);
    }

    @Override
    public Optional<RegistrySession> session() {
        return registry.session();
    }

    @Override
    public ConnectionState connectionState() {
        return registry.connectionState();
    }

    @Override
    public Subscription onConnectionState(Consumer<ConnectionState> listener) {
        return registry.onConnectionState(listener);
    }

    @Override
    public Subscription keepOpen() {
        return registry.keepOpen();
    }

    @Override
    public void close() {
        registry.close();
    }
}
