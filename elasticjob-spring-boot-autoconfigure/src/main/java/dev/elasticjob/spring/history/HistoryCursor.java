package dev.elasticjob.spring.history;

import java.time.DateTimeException;
import java.time.Instant;

/**
 * Where a page ended. Remains valid while entries are added and deleted.
 *
 * @param time the scheduled time of the last entry
 * @param id of the last entry; tells entries of the same time apart
 */
public record HistoryCursor(Instant time, String id) {
    private static final char JOINT = '~';

    /** The text that {@link #parse(String)} understands. Has no characters that a URL must escape, apart from colons. */
    public String text() {
        return time + String.valueOf(JOINT) + id;
    }

    /** @throws IllegalArgumentException when the text is no cursor's */
    public static HistoryCursor parse(String text) {
        int joint = text.indexOf(JOINT);
        try {
            return new HistoryCursor(Instant.parse(text.substring(0, Math.max(joint, 0))), text.substring(joint + 1));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "Expected a cursor such as \"2026-11-21T10:00:00Z~0d6b\", as the page before has it in \"next\","
                            + " but was \"" + text + "\"",
                    e);
        }
    }
}
