package dev.elasticjob.coordination.item;

import dev.elasticjob.coordination.state.ItemState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

public sealed interface ExecutionResult {
    /**
     * @param state COMPLETED, FAILED, or INTERRUPTED if it was stopped
     * @param began when its thread started
     * @param failure the head of the failure's text
     */
    record Returned(
            ItemState state,
            Instant began,
            Instant returned,
            @Nullable String failure) implements ExecutionResult {}

    /** It has not started and never will. Its claim is undone. */
    record Unclaimed(Reason reason) implements ExecutionResult {
        public Unclaimed() {
            this(Reason.NOT_HERE);
        }

        public enum Reason {
            /** This instance may no longer start it. */
            NOT_HERE,
            /** The executor has rejected it. */
            NO_THREAD
        }
    }
}
