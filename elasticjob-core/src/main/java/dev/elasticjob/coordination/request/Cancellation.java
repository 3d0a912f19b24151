package dev.elasticjob.coordination.request;

import dev.elasticjob.registry.RegistryCommit;
import org.jspecify.annotations.Nullable;

/**
 * An operator's wish that something ends. It stands where that something stands: in the record of an execution, or with
 * a manual run that waits.
 *
 * @param actor who wishes it
 * @param reason why; empty if none was given
 */
public record Cancellation(String actor, String reason) {
    private static final int BYTES_OF_ACTOR = 64;
    private static final int BYTES_OF_REASON = 128;

    public Cancellation {
        actor = orEmpty(actor);
        reason = orEmpty(reason);
    }

    /** A wish that fits into a record: longer texts are cut. */
    public static Cancellation of(String actor, String reason) {
        return new Cancellation(cut(actor, BYTES_OF_ACTOR), cut(reason, BYTES_OF_REASON));
    }

    private static String cut(String text, int bytes) {
        String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
        int end = line.length();
        while (RegistryCommit.bytes(line.substring(0, end)) > bytes) {
            end = line.offsetByCodePoints(end, -1);
        }
        return line.substring(0, end);
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
