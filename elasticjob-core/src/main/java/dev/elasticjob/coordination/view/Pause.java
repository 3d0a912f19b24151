package dev.elasticjob.coordination.view;

import dev.elasticjob.registry.RegistryMoment;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A time in which operators wanted nothing to start. What comes due in it is not missed.
 *
 * @param from what was due by then is owed afterwards; by the registry's clock
 * @param until what comes due later is owed; null while the pause lasts
 */
public record Pause(Instant from, @Nullable Instant until) {
    /** A beginning after the end was written while the registry's clock was ahead. */
    public Pause {
        from = until != null && until.isBefore(from) ? until : from;
    }

    /** Whether the pause began by that time and has not ended before it. */
    boolean reaches(Instant time) {
        return !from.isAfter(time) && (until == null || !until.isBefore(time));
    }

    /** Whether it is over, but by an end that the registry's clock has not reached. */
    public boolean endsAheadOf(RegistryMoment present) {
        return until != null && present.isAhead(until);
    }

    /** The same without times that are ahead. */
    Pause corrected(RegistryMoment present) {
        return new Pause(present.bounded(from), until == null ? null : present.bounded(until));
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
