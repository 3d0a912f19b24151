package dev.elasticjob.coordination.failover;

import dev.elasticjob.coordination.failover.ItemChange.Drop;
import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.SharedConnection;
import dev.elasticjob.coordination.state.StoredDefinition.NodeVersion;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Gives up interrupted executions, and says each loss once: by the commit that records it, also where its answer was
 * lost and its repetition refused. Confined to the coordination executor.
 */
public final class AbandonedExecutions {
    private final JobScope scope;
    private final JobViewReader reader;
    private final ItemTransactions transactions;
    private final LossReporter losses;

    public AbandonedExecutions(JobScope scope, JobViewReader reader) {
        this.scope = scope;
        this.reader = reader;
        this.transactions = new ItemTransactions(scope.tree());
        this.losses = new LossReporter(scope);
    }

    /**
     * Gives them up, under the configuration that says so.
     *
     * @param read the job as it was read before them
     * @return how many transactions were carried out
     */
    public CompletionStage<Integer> commit(RegistrySession session, JobView read, List<Drop> drops) {
        CompletionStage<Integer> all = CompletableFuture.completedFuture(0);
        NodeVersion definition = read.definitionVersion();
        for (Batch<Drop> batch : transactions.drop(read.epoch(), definition, drops)) {
            all = all.thenComposeAsync(
                    soFar -> commit(session, batch).thenApply(given -> soFar + (given ? 1 : 0)), scope.executor());
        }
        return all;
    }

    private CompletionStage<Boolean> commit(RegistrySession session, Batch<Drop> batch) {
        return scope.connection()
                .commit(session, batch.commit())
                .thenComposeAsync(
                        outcome -> {
                            if (outcome instanceof CommitOutcome.Committed) {
                                batch.parts().forEach(drop -> losses.tellInterrupted(drop.view()));
                                return CompletableFuture.completedFuture(true);
                            }
                            return afterRefusal(session, batch.parts(), 0);
                        },
                        scope.executor());
    }

    /** What stands in the records as we wrote it, we have dropped; nothing else is done before that is known. */
    private CompletionStage<Boolean> afterRefusal(RegistrySession session, List<Drop> drops, int attempt) {
        return reader.items(drops.stream().map(ItemChange::item).toList())
                .handleAsync(
                        (view, error) -> {
                            if (error == null) {
                                return CompletableFuture.completedFuture(tell(drops, view));
                            }
                            boolean sameSession = scope.connection()
                                    .session()
                                    .filter(now -> now.id() != session.id())
                                    .isEmpty();
                            return sameSession && SharedConnection.unwrap(error) instanceof RegistryUnavailableException
                                    ? scope.connection()
                                            .afterPause(attempt)
                                            .thenComposeAsync(
                                                    paused -> afterRefusal(session, drops, attempt + 1),
                                                    scope.executor())
                                    : CompletableFuture.<Boolean>failedFuture(error);
                        },
                        scope.executor())
                .thenCompose(stage -> stage);
    }

    private boolean tell(List<Drop> drops, JobViewReader.ItemsView view) {
        List<Drop> ours = drops.stream()
                .filter(drop -> drop.standsIn(view.items().get(drop.item())))
                .toList();
        ours.forEach(drop -> losses.tellInterrupted(drop.view()));
        return !ours.isEmpty();
    }
}
