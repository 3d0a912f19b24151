package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.completion.ClaimedItem;
import dev.elasticjob.coordination.completion.ExecutionResult;
import dev.elasticjob.coordination.view.Ownership;
import java.util.Collection;
import java.util.concurrent.CompletionStage;

/**
 * Where a job's executions come from on this instance, and where their ends go. Confined to the coordination executor.
 */
public interface ItemSource {
    /** Claims by this ownership from now on. */
    void follow(Ownership ownership);

    /** Claims nothing until the next ownership. */
    void suspend();

    /** The job is due by this instance's timer. */
    void fire();

    /** Somebody has asked for a manual run. */
    void asked();

    /** The item's thread has returned, or will never begin. */
    void ended(ClaimedItem item, ExecutionResult ending);

    /** The items that were claimed and whose end is not written. */
    Collection<ClaimedItem> held();

    /**
     * Claims nothing more.
     *
     * @return completes when nothing is held
     */
    CompletionStage<Void> stop();
}
