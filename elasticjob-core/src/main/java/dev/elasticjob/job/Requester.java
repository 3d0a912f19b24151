package dev.elasticjob.job;

/**
 * Who requested a manual run, and why, as the registry keeps it: with longer texts cut to 64 and 128 bytes of UTF-8, on
 * one line.
 *
 * @param actor for example a user name
 * @param reason empty if none was given
 */
public record Requester(String actor, String reason) {
    /** {@code alice}, or {@code alice: wrong data}. */
    public String text() {
        return reason.isEmpty() ? actor : actor + ": " + reason;
    }
}
