package dev.elasticjob.coordination.session;

import dev.elasticjob.job.Failures;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.DelegatingRegistry;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.Latch;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.Subscription;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A registry that keeps the contract whatever its client does: every request returns a stage, and fails in one of the
 * ways that {@link Registry} names. If a client throws anything else, for example an {@link OutOfMemoryError}, at the
 * call or with the answer, the outcome is unknown, and callers read again as they do after a lost connection.
 */
public final class GuardedRegistry extends DelegatingRegistry {
    private static final Logger log = LoggerFactory.getLogger(GuardedRegistry.class);

    private final Registry registry;
    /** Whether the present failure has been reported: every request may fail in the same way. */
    private final AtomicBoolean reported = new AtomicBoolean();

    public GuardedRegistry(Registry registry) {
        this.registry = registry;
    }

    @Override
    protected Registry delegate() {
        return registry;
    }

    @Override
    public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
        return answered(() -> registry.read(reads));
    }

    @Override
    public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
        return answered(() -> registry.commit(session, commit));
    }

    /** @throws RegistryUnavailableException if the client can't set the watch */
    @Override
    public Subscription watch(String path, WatchScope scope, Runnable lookAgain) {
        try {
            Subscription watch = registry.watch(path, scope, lookAgain);
            return () -> close(path, watch);
        } catch (Throwable e) {
            throw meaning(e);
        }
    }

    private void close(String path, Subscription watch) {
        try {
            watch.close();
        } catch (Throwable e) {
            log.warn("A watch on \"{}\" could not be removed; its events are ignored", path, Failures.printable(e));
        }
    }

    /** The client's own stage, so that its future can be cancelled. */
    @Override
    public CompletionStage<Void> awaitAbsence(String path) {
        try {
            return registry.awaitAbsence(path);
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(meaning(e));
        }
    }

    @Override
    public Latch enterLatch(String path, String id) {
        try {
            return registry.enterLatch(path, id);
        } catch (Throwable e) {
            return new Refused(meaning(e));
        }
    }

    private <T> CompletionStage<T> answered(Supplier<CompletionStage<T>> request) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            request.get().whenComplete((value, error) -> {
                if (error == null) {
                    reported.set(false);
                    answer.complete(value);
                } else {
                    answer.completeExceptionally(meaning(error));
                }
            });
        } catch (Throwable e) {
            answer.completeExceptionally(meaning(e));
        }
        return answer;
    }

    /** If the client fails in the middle of a request, its outcome is unknown. */
    private RuntimeException meaning(Throwable error) {
        Throwable failure = Stages.unwrap(error);
        if (failure instanceof RegistryUnavailableException unavailable) {
            return unavailable;
        }
        if (failure instanceof RegistryAccessDeniedException || failure instanceof IllegalArgumentException) {
            return (RuntimeException) failure;
        }
        Throwable printable = Failures.printable(failure);
        if (reported.compareAndSet(false, true)) {
            log.error("The registry client failed; the failed requests are repeated", printable);
        }
        return new RegistryUnavailableException(
                "The registry client failed with \"%s\": try again".formatted(Failures.text(failure)), true, printable);
    }

    private record Refused(RuntimeException reason) implements Latch {
        @Override
        public CompletionStage<Void> acquired() {
            return CompletableFuture.failedFuture(reason);
        }

        @Override
        public void close() {}
    }
}
