package dev.elasticjob.job;

import java.util.Optional;

/**
 * How an item that this instance had claimed ended here.
 *
 * @param failure the last one; empty after COMPLETED and NOT_BEGUN
 */
public record ItemOutcome(Kind kind, Optional<Throwable> failure) {
    /** What became of it. */
    public enum Kind {
        COMPLETED,
        FAILED,
        /** Cut off, or kept from its next attempt: by a lost session, or the end of the process. */
        INTERRUPTED,
        /** As if it had not been claimed: it stays due, for others or for later. */
        NOT_BEGUN
    }
}
