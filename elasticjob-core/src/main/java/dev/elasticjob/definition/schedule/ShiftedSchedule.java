package dev.elasticjob.definition.schedule;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A schedule whose firings all are the same time later.
 *
 * @param offset whole seconds, more than none
 */
record ShiftedSchedule(Schedule inner, Duration offset) implements AdaptedSchedule {
    private static final String KEYWORD = " shifted ";

    static Schedule of(Schedule inner, Duration offset) {
        if (offset.isNegative() || !offset.equals(offset.truncatedTo(ChronoUnit.SECONDS))) {
            throw new IllegalArgumentException("expected an offset of whole seconds, 0 or more, but it is " + offset);
        }
        return offset.isZero() ? inner : new ShiftedSchedule(inner, offset);
    }

    @Override
    public String text() {
        return inner.text() + KEYWORD + offset;
    }

    @Override
    public Schedule around(Schedule other) {
        return new ShiftedSchedule(other, offset);
    }

    @Override
    public Optional<Instant> nextAfter(Instant moment) {
        return inner.nextAfter(FiringYears.nearest(moment).minus(offset))
                .map(firing -> firing.plus(offset))
                .filter(firing -> firing.isAfter(moment));
    }

    @Override
    public Optional<Instant> latestNotAfter(Instant moment) {
        return inner.latestNotAfter(FiringYears.nearest(moment).minus(offset)).map(firing -> firing.plus(offset));
    }

    @Override
    public long countBetween(Instant exclusiveStart, Instant exclusiveEnd, int limit) {
        return inner.countBetween(
                FiringYears.nearest(exclusiveStart).minus(offset),
                FiringYears.nearest(exclusiveEnd).minus(offset),
                limit);
    }

    /** Reads {@code 0 0 2 * * ? shifted PT3M20S}. */
    static final class Parser implements ScheduleParser {
        @Override
        public boolean reads(String text) {
            return text.contains(KEYWORD);
        }

        @Override
        public Schedule parse(String text, ZoneId zone) {
            int keyword = text.lastIndexOf(KEYWORD);
            try {
                return of(
                        Schedule.of(text.substring(0, keyword), zone),
                        Duration.parse(
                                text.substring(keyword + KEYWORD.length()).strip()));
            } catch (DateTimeException e) {
                throw new IllegalArgumentException("expected an offset such as \"shifted PT3M20S\"", e);
            }
        }
    }
}
