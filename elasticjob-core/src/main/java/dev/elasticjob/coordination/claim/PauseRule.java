package dev.elasticjob.coordination.claim;

import java.util.concurrent.CompletionStage;

/**
 * Pauses a job with {@code pauseAfterFailures}: {@code docs/internals/protocol-pause.md}. Called on the coordination
 * executor.
 */
public interface PauseRule {
    /**
     * Pauses the job if executions of this item have failed so often, one after the other, as the registry says now.
     *
     * @return completes when the job is paused, or isn't to be
     */
    CompletionStage<Void> look(int item);
}
