package dev.elasticjob.registry;

import java.time.Duration;
import java.time.Instant;

/**
 * The registry's time, as the measure of times that were read: what is ahead of it by more than is tolerated was
 * written while a clock was wrong, or by hand, and nobody waits for it. Pure. The rules are those of "Times from the
 * future" in {@code docs/internals/protocol.md}.
 */
public record RegistryMoment(Instant now) {
    /** An instance's clock may be ahead of the registry's by as much. */
    public static final Duration TOLERANCE = Duration.ofMinutes(1);

    public boolean isAhead(Instant time) {
        return time.isAfter(now.plus(TOLERANCE));
    }

    /** The time, or the present one if that one is ahead. */
    public Instant bounded(Instant time) {
        return isAhead(time) ? now : time;
    }
}
