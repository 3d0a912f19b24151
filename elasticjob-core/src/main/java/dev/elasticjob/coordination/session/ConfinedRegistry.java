package dev.elasticjob.coordination.session;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.DelegatingRegistry;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.Latch;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.Subscription;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * A registry whose answers and events arrive on the coordination executor. No other code moves them there: everything
 * that follows an answer stays on that executor.
 */
final class ConfinedRegistry extends DelegatingRegistry {
    private final Registry registry;
    private final Executor executor;

    ConfinedRegistry(Registry registry, Executor executor) {
        this.registry = registry;
        this.executor = executor;
    }

    @Override
    protected Registry delegate() {
        return registry;
    }

    @Override
    public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
        return confined(registry.read(reads));
    }

    @Override
    public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
        return confined(registry.commit(session, commit));
    }

    @Override
    public Subscription watch(String path, WatchScope scope, Runnable lookAgain) {
        return registry.watch(path, scope, () -> executor.execute(lookAgain));
    }

    @Override
    public CompletionStage<Void> awaitAbsence(String path) {
        CompletableFuture<Void> absence = registry.awaitAbsence(path).toCompletableFuture();
        CompletableFuture<Void> answer = confined(absence).toCompletableFuture();
        answer.whenComplete((absent, error) -> absence.cancel(false));
        return answer;
    }

    @Override
    public Latch enterLatch(String path, String id) {
        Latch latch = registry.enterLatch(path, id);
        return new Latch() {
            @Override
            public CompletionStage<Void> acquired() {
                return confined(latch.acquired());
            }

            @Override
            public void close() {
                latch.close();
            }
        };
    }

    @Override
    public Subscription onConnectionState(Consumer<ConnectionState> listener) {
        return registry.onConnectionState(state -> executor.execute(() -> listener.accept(state)));
    }

    private <T> CompletionStage<T> confined(CompletionStage<T> stage) {
        return stage.whenCompleteAsync((answer, error) -> {}, executor);
    }
}
