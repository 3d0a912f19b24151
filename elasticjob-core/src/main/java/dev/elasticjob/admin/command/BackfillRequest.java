package dev.elasticjob.admin.command;

import dev.elasticjob.coordination.run.Backfill;
import java.time.Instant;

/**
 * Scheduled times of the past that run once more.
 *
 * @param from the beginning of the range, which is part of it
 * @param until its end, which is part of it too
 * @param atOnce how many of the times may be under way, from 1 to 16. With 1, all items end a time before any begins the
 *     next; with more, fast items go ahead of slow ones
 */
public record BackfillRequest(Instant from, Instant until, int atOnce) {
    /** @throws IllegalArgumentException if the range is empty, or the number isn't allowed */
    public BackfillRequest {
        if (until.isBefore(from)) {
            throw new IllegalArgumentException(
                    "Expected a backfill to begin before it ends, but it was from %s until %s".formatted(from, until));
        }
        if (atOnce < 1 || atOnce > Backfill.MOST_AT_ONCE) {
            throw new IllegalArgumentException("Expected from 1 to %d times of a backfill at once, but there were %d"
                    .formatted(Backfill.MOST_AT_ONCE, atOnce));
        }
    }

    /** One time after the other. */
    public static BackfillRequest of(Instant from, Instant until) {
        return new BackfillRequest(from, until, 1);
    }
}
