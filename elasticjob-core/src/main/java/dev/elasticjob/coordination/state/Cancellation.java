package dev.elasticjob.coordination.state;

import org.jspecify.annotations.Nullable;

/**
 * An operator's request that something ends. It stands where that something stands: in the record of an execution, or with
 * a manual run that waits.
 *
 * @param actor who requests it
 * @param reason why; empty if none was given
 */
public record Cancellation(String actor, String reason) {
    public Cancellation {
        actor = orEmpty(actor);
        reason = orEmpty(reason);
    }

    /** A cancellation that fits into a record: longer texts are cut. */
    public static Cancellation of(String actor, String reason) {
        RequestedBy by = RequestedBy.of(actor, reason);
        return new Cancellation(by.actor(), by.reason());
    }

    /** Keys may be missing in a node that was written by hand. */
    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** As the failure of an execution shows it. */
    public String text() {
        return reason.isEmpty() ? "cancelled by " + actor : "cancelled by %s: %s".formatted(actor, reason);
    }
}
