package dev.elasticjob.registry;

import dev.elasticjob.registry.Registry.Latch;
import dev.elasticjob.registry.Registry.WatchScope;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/** A registry that passes every call on to another one, except for those that a subclass overrides. */
public abstract class DelegatingRegistry implements Registry {
    /** The other registry; throws if there is none at present. */
    protected abstract Registry delegate();

    /** Makes a request of the other registry. If there is none, the answer fails, and nothing is thrown. */
    protected final <T> CompletionStage<T> ask(Function<Registry, CompletionStage<T>> request) {
        Registry present;
        try {
            present = delegate();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(unavailable(e));
        }
        return request.apply(present);
    }

    /** What a request fails with, if {@link #delegate()} has thrown this. */
    protected RuntimeException unavailable(RuntimeException failure) {
        return failure;
    }

    @Override
    public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
        return ask(registry -> registry.read(reads));
    }

    @Override
    public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
        return ask(registry -> registry.commit(session, commit));
    }

    @Override
    public int bytesPerCommit() {
        return delegate().bytesPerCommit();
    }

    @Override
    public Subscription watch(String path, WatchScope scope, Runnable lookAgain) {
        return delegate().watch(path, scope, lookAgain);
    }

    @Override
    public CompletionStage<Void> awaitAbsence(String path) {
        return ask(registry -> registry.awaitAbsence(path));
    }

    @Override
    public Latch enterLatch(String path, String id) {
        return delegate().enterLatch(path, id);
    }

    @Override
    public Optional<RegistrySession> session() {
        return delegate().session();
    }

    @Override
    public ConnectionState connectionState() {
        return delegate().connectionState();
    }

    @Override
    public Subscription onConnectionState(Consumer<ConnectionState> listener) {
        return delegate().onConnectionState(listener);
    }

    @Override
    public Optional<Subscription> reserve(String jobName) {
        return delegate().reserve(jobName);
    }

    @Override
    public Subscription keepOpen() {
        return delegate().keepOpen();
    }

    @Override
    public void close() {
        delegate().close();
    }
}
