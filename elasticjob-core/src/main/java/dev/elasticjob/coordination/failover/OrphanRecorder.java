package dev.elasticjob.coordination.failover;

import dev.elasticjob.coordination.failover.ItemChange.Orphan;
import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.RegistrySession;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records executions that were found without their locks: by whoever meets them, owner or leader. Confined to the
 * coordination executor.
 */
public final class OrphanRecorder {
    private static final Logger log = LoggerFactory.getLogger(OrphanRecorder.class);

    private final JobScope scope;
    private final ItemTransactions transactions;

    public OrphanRecorder(JobScope scope) {
        this.scope = scope;
        this.transactions = new ItemTransactions(scope.tree());
    }

    /**
     * Records them, under the assertion that their locks are absent.
     *
     * @param epoch at which they were read
     * @return true, whether recorded or refused: either way the items are to be looked at again
     */
    public CompletionStage<Boolean> record(RegistrySession session, int epoch, List<Orphan> orphans) {
        CompletionStage<Boolean> all = CompletableFuture.completedFuture(true);
        for (Batch<Orphan> batch : transactions.recordOrphans(epoch, orphans)) {
            all = all.thenComposeAsync(
                    soFar -> scope.connection().commit(session, batch.commit()).thenApply(outcome -> {
                        if (outcome instanceof CommitOutcome.Committed) {
                            batch.parts().forEach(this::tell);
                        }
                        return true;
                    }),
                    scope.executor());
        }
        return all;
    }

    private void tell(Orphan orphan) {
        ItemRecord interrupted = orphan.view().current();
        log.warn(
                "Job \"{}\": item {} was interrupted on \"{}\" (run \"{}\", attempt {}){}",
                scope.jobName(),
                orphan.item(),
                interrupted.instance(),
                interrupted.runIdOf(scope.jobName()).orElse(""),
                interrupted.attempt(),
                orphan.failover() ? ": it will be taken over" : "");
        scope.events()
                .accept(new JobEvent.ItemInterrupted(
                        scope.jobName(),
                        String.valueOf(interrupted.instance()),
                        orphan.item(),
                        firing(orphan.view()),
                        interrupted.runIdOf(scope.jobName()).orElse(""),
                        interrupted.attempt()));
    }

    private static Instant firing(ItemView item) {
        Instant scheduledAt = item.current().scheduledAt();
        return scheduledAt == null ? Instant.EPOCH : scheduledAt;
    }
}
