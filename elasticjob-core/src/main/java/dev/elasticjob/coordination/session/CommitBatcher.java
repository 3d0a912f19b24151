package dev.elasticjob.coordination.session;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.CommitOutcome.Committed;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;

/**
 * Carries out transactions of all jobs, several in one where they come at the same time: in the order in which they came,
 * all or none. None says nothing of any single one: then each is sent alone, and gets an answer of its own. So each is
 * answered as if it had been alone; only an answer that is lost is lost to all that shared it.
 *
 * <p>Confined to the coordination executor.
 */
final class CommitBatcher implements RequestBatcher.Sending<CommitBatcher.Asked> {
    /** Of one request: enough for hundreds of small ones, and soon written. */
    private static final int MAX_BYTES = 128 * 1024;

    private final BiFunction<RegistrySession, RegistryCommit, CompletionStage<CommitOutcome>> transport;
    private final RequestBatcher<Asked> requests;

    /** @param transport sends a transaction, once; completes on the executor */
    CommitBatcher(
            BiFunction<RegistrySession, RegistryCommit, CompletionStage<CommitOutcome>> transport, Executor executor) {
        this.transport = transport;
        this.requests = new RequestBatcher<>(
                MAX_BYTES,
                asked -> asked.commit().bytes(),
                (one, other) -> one.session().equals(other.session()),
                this,
                executor);
    }

    record Asked(RegistrySession session, RegistryCommit commit, CompletableFuture<CommitOutcome> outcome) {}

    /** Carries out the transaction in the session; completes on the executor. */
    CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
        CompletableFuture<CommitOutcome> outcome = new CompletableFuture<>();
        requests.add(new Asked(session, commit, outcome));
        return outcome;
    }

    @Override
    public CompletionStage<Boolean> together(List<Asked> all) {
        RegistryCommit.Builder joined = RegistryCommit.builder();
        all.forEach(one -> joined.addAll(one.commit()));
        return transport.apply(all.get(0).session(), joined.build()).handle((outcome, error) -> {
            boolean lost = error != null && SharedConnection.unwrap(error) instanceof RegistryUnavailableException;
            boolean answersAll = lost || outcome instanceof Committed;
            if (answersAll) {
                all.forEach(one -> RequestBatcher.pass(one.outcome(), outcome, error));
            }
            return answersAll;
        });
    }

    @Override
    public CompletionStage<?> alone(Asked one) {
        return transport
                .apply(one.session(), one.commit())
                .handle((outcome, error) -> RequestBatcher.pass(one.outcome(), outcome, error));
    }

    @Override
    public void failed(Asked one, Throwable failure) {
        one.outcome().completeExceptionally(failure);
    }
}
