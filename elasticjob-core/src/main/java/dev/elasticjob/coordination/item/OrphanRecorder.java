package dev.elasticjob.coordination.item;

import dev.elasticjob.coordination.item.ItemChange.Orphan;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.RegistrySession;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records orphans: executions that the owner or the leader has found without their locks. Confined to the coordination
 * executor.
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
     * Records orphans, under the assertion that their locks are absent. Afterwards, the items have to be read again,
     * whether the transaction was committed or refused.
     *
     * @param epoch the epoch at which they were read
     */
    public CompletionStage<Void> record(RegistrySession session, int epoch, List<Orphan> orphans) {
        return Stages.inOrder(
                        transactions.recordOrphans(epoch, orphans),
                        batch -> scope.connection()
                                .commit(session, batch.commit())
                                .thenAccept(outcome -> {
                                    if (outcome.isCommitted()) {
                                        batch.parts().forEach(this::tell);
                                    }
                                }))
                .thenAccept(all -> {});
    }

    private void tell(Orphan orphan) {
        ItemRecord interrupted = orphan.view().current();
        if (interrupted.cancelled() != null) {
            tellCancelled(orphan, interrupted);
        } else {
            log.warn(
                    "Job \"{}\": item {} was interrupted on \"{}\" (run \"{}\", attempt {}){}",
                    scope.jobName(),
                    orphan.item(),
                    interrupted.instance(),
                    interrupted.runIdOf(scope.jobName()).orElse(""),
                    interrupted.attempt(),
                    orphan.failover() ? ": it will be taken over" : "");
        }
        scope.events()
                .accept(new JobEvent.ItemInterrupted(
                        scope.jobName(),
                        String.valueOf(interrupted.instance()),
                        orphan.item(),
                        orphan.view().firing(),
                        interrupted.runIdOf(scope.jobName()).orElse(""),
                        interrupted.attempt()));
    }

    private void tellCancelled(Orphan orphan, ItemRecord lost) {
        String reason = String.valueOf(orphan.next().failure());
        log.warn(
                "Job \"{}\": item {} was interrupted on \"{}\" (run \"{}\", attempt {}) after it was {}. It is not"
                        + " repeated",
                scope.jobName(),
                orphan.item(),
                lost.instance(),
                lost.runIdOf(scope.jobName()).orElse(""),
                lost.attempt(),
                reason);
        scope.events()
                .accept(new JobEvent.ItemCancelled(
                        scope.jobName(),
                        String.valueOf(lost.instance()),
                        orphan.item(),
                        orphan.view().firing(),
                        lost.runIdOf(scope.jobName()).orElse(""),
                        lost.attempt(),
                        reason));
    }
}
