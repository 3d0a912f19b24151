package dev.elasticjob.job;

import java.util.Optional;

/**
 * How an item that this instance had claimed ended on this instance.
 *
 * @param failure the last failure; empty for COMPLETED and NOT_BEGUN
 */
public record ItemOutcome(Kind kind, Optional<Throwable> failure) {
    /** The ways in which a claimed item can end. */
    public enum Kind {
        COMPLETED,
        FAILED,
        /** Interrupted, or prevented from its next attempt, by a lost session or the end of the process. */
        INTERRUPTED,
        /** Not started. The claim was undone, so the item stays due for another instance or a later time. */
        NOT_BEGUN
    }
}
