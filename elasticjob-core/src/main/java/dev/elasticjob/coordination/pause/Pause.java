package dev.elasticjob.coordination.pause;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A time in which operators wanted nothing to start. What comes due in it is not missed.
 *
 * @param from what was due by then is owed afterwards; by the registry's clock
 * @param until what comes due later is owed; null while the pause lasts
 */
public record Pause(Instant from, @Nullable Instant until) {
    /** Whether the pause began by that time and has not ended before it. */
    boolean reaches(Instant time) {
        return !from.isAfter(time) && (until == null || !until.isBefore(time));
    }

    /** Both as one; they must overlap, or touch. */
    Pause and(Pause other) {
        Instant begin = from.isBefore(other.from) ? from : other.from;
        if (until == null || other.until == null) {
            return new Pause(begin, null);
        }
        return new Pause(begin, until.isAfter(other.until) ? until : other.until);
    }
}
