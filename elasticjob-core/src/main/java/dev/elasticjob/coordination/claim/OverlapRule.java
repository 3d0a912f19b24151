package dev.elasticjob.coordination.claim;

import java.time.Instant;
import java.util.concurrent.CompletionStage;

/**
 * Cancels what an item executes when its next firing is due, in jobs with {@code overlap=CANCEL_RUNNING}: "Overlap" in
 * {@code docs/internals/protocol.md}. Called on the coordination executor.
 */
public interface OverlapRule {
    /**
     * Cancels the execution, if it is one of an earlier firing and hasn't been cancelled, as the registry says now.
     *
     * @param firing the one that is due
     * @return completes when the cancellation is written, or isn't to be
     */
    CompletionStage<Void> cancel(int item, Instant firing);
}
