package dev.elasticjob.engine;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.DelegatingRegistry;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** The connection of a process that dies once its first transaction is carried out. */
final class DyingAfterOneCommit extends DelegatingRegistry {
    private final Registry delegate;
    private final AtomicInteger commits = new AtomicInteger();

    DyingAfterOneCommit(Registry delegate) {
        this.delegate = delegate;
    }

    @Override
    protected Registry delegate() {
        return delegate;
    }

    @Override
    public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
        return commits.incrementAndGet() == 1
                ? super.commit(session, commit)
                : CompletableFuture.failedFuture(new RegistryUnavailableException("the process is dead"));
    }
}
