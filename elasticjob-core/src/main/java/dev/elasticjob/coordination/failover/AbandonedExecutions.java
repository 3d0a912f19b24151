package dev.elasticjob.coordination.failover;

import dev.elasticjob.coordination.failover.ItemChange.Drop;
import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Abandons interrupted executions, and reports each loss once: by the commit that records it, even if its answer was
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
     * Abandons executions under the configuration by which they were planned.
     *
     * @param read the job as it was read before them
     * @return how many transactions were carried out
     */
    public CompletionStage<Integer> commit(RegistrySession session, JobView read, List<Drop> drops) {
        return Stages.inOrder(
                        transactions.drop(read.epoch(), read.definitionVersion(), drops),
                        batch -> commit(session, batch))
                .thenApply(committed ->
                        (int) committed.stream().filter(all -> !all.isEmpty()).count());
    }

    private CompletionStage<List<Drop>> commit(RegistrySession session, Batch<Drop> batch) {
        return scope.connection()
                .commit(session, batch.commit())
                .thenCompose(outcome -> outcome.isCommitted()
                        ? CompletableFuture.completedFuture(batch.parts())
                        : committedBefore(batch.parts()))
                .thenApply(ours -> {
                    ours.forEach(drop -> losses.tellInterrupted(drop.view()));
                    return ours;
                });
    }

    /** After a refusal: where the record is as we wrote it, our transaction was carried out and its answer lost. */
    private CompletionStage<List<Drop>> committedBefore(List<Drop> drops) {
        List<Integer> items = drops.stream().map(ItemChange::item).toList();
        return scope.connection()
                .retrying(RegistryUnavailableException.class::isInstance, () -> reader.items(items))
                .thenApply(view -> drops.stream()
                        .filter(drop -> drop.standsIn(view.items().get(drop.item())))
                        .toList());
    }
}
