package dev.elasticjob.coordination.completion;

import dev.elasticjob.coordination.state.ItemState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How an execution that was claimed ended. */
public sealed interface ExecutionResult {
    /**
     * Its thread has returned.
     *
     * @param state COMPLETED, FAILED, or INTERRUPTED when it was cut off
     * @param began when its thread began
     * @param failure the head of the failure's text
     */
    record Returned(
            ItemState state,
            Instant began,
            Instant returned,
            @Nullable String failure) implements ExecutionResult {}

    /** It has not begun and never will: its claim is undone. */
    record Unclaimed(Reason reason) implements ExecutionResult {
        public Unclaimed() {
            this(Reason.NOT_HERE);
        }

        /** Why it does not begin. */
        public enum Reason {
            /** This instance may not begin it any more. */
            NOT_HERE,
            /** The executor has refused it. */
            NO_THREAD
        }
    }
}
