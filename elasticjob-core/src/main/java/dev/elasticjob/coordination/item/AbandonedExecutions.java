package dev.elasticjob.coordination.item;

import dev.elasticjob.coordination.item.ItemChange.Abandon;
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
 * Abandons interrupted executions, and reports each loss once: after the commit that records it, even if the answer was
 * lost and the repeated request refused. Confined to the coordination executor.
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
     * Abandons executions under the configuration from which they were planned.
     *
     * @param read the job as it was read for the plan
     * @return the number of committed transactions
     */
    public CompletionStage<Integer> commit(RegistrySession session, JobView read, List<Abandon> abandoned) {
        return Stages.inOrder(
                        transactions.abandon(read.epoch(), read.definitionVersion(), abandoned),
                        batch -> commit(session, batch))
                .thenApply(committed ->
                        (int) committed.stream().filter(all -> !all.isEmpty()).count());
    }

    private CompletionStage<List<Abandon>> commit(RegistrySession session, Batch<Abandon> batch) {
        return scope.connection()
                .commit(session, batch.commit())
                .thenCompose(outcome -> outcome.isCommitted()
                        ? CompletableFuture.completedFuture(batch.parts())
                        : committedBefore(batch.parts()))
                .thenApply(ours -> {
                    ours.forEach(abandon -> losses.tellInterrupted(abandon.view()));
                    return ours;
                });
    }

    /** After a refusal, a record with our content shows that our transaction was committed and its answer lost. */
    private CompletionStage<List<Abandon>> committedBefore(List<Abandon> abandoned) {
        List<Integer> items = abandoned.stream().map(ItemChange::item).toList();
        return scope.connection()
                .retrying(RegistryUnavailableException.class::isInstance, () -> reader.items(items))
                .thenApply(view -> abandoned.stream()
                        .filter(abandon -> abandon.standsIn(view.items().get(abandon.item())))
                        .toList());
    }
}
