package dev.elasticjob.definition.schedule;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * Fires once.
 *
 * @param at a whole second
 */
record OneTimeSchedule(Instant at, ZoneId zone) implements Schedule {
    private static final String KEYWORD = "at ";

    /** @throws IllegalArgumentException if it isn't a whole second */
    static OneTimeSchedule of(Instant at, ZoneId zone) {
        return new OneTimeSchedule(FiringYears.checked(at), zone);
    }

    @Override
    public ScheduleKind kind() {
        return ScheduleKind.AT;
    }

    @Override
    public String text() {
        return KEYWORD + at;
    }

    @Override
    public Optional<Instant> nextAfter(Instant moment) {
        return Optional.of(at).filter(moment::isBefore);
    }

    @Override
    public Optional<Instant> latestNotAfter(Instant moment) {
        return Optional.of(at).filter(firing -> !firing.isAfter(moment));
    }

    @Override
    public long countBetween(Instant exclusiveStart, Instant exclusiveEnd, int limit) {
        return at.isAfter(exclusiveStart) && at.isBefore(exclusiveEnd) ? Math.min(1, limit) : 0;
    }

    /** Reads {@code at 2026-12-24T18:00:00Z}. */
    static final class Parser implements ScheduleParser {
        @Override
        public boolean reads(String text) {
            return text.matches(KEYWORD + "[-+]?\\d.*");
        }

        @Override
        public Schedule parse(String text, ZoneId zone) {
            try {
                return of(Instant.parse(text.substring(KEYWORD.length()).strip()), zone);
            } catch (DateTimeException e) {
                throw new IllegalArgumentException("expected a time such as \"at 2026-12-24T18:00:00Z\"", e);
            }
        }
    }
}
