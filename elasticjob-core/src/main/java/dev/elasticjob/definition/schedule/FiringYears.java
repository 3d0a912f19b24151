package dev.elasticjob.definition.schedule;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The years in which jobs fire. What is before or after may have no time on a wall clock. */
final class FiringYears {
    static final Instant FIRST = Instant.parse("0001-01-02T00:00:00Z");
    static final Instant LAST = Instant.parse("9999-12-30T00:00:00Z");

    private FiringYears() {}

    /** The moment, or the nearest one of these years. */
    static Instant nearest(Instant moment) {
        return moment.isAfter(LAST) ? LAST : moment.isBefore(FIRST) ? FIRST : moment;
    }

    /** Why nothing can fire at that time; empty if something can. */
    static Optional<String> fault(Instant time) {
        if (!time.equals(time.truncatedTo(ChronoUnit.SECONDS))) {
            return Optional.of("expected a whole second, because firings fall on whole seconds, but it is " + time);
        }
        return time.equals(nearest(time))
                ? Optional.empty()
                : Optional.of("expected a time from %s to %s, but it is %s".formatted(FIRST, LAST, time));
    }

    /** @throws IllegalArgumentException if nothing can fire at that time */
    static Instant checked(Instant time) {
        fault(time).ifPresent(fault -> {
            throw new IllegalArgumentException(fault);
        });
        return time;
    }
}
