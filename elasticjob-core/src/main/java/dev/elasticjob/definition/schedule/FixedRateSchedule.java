package dev.elasticjob.definition.schedule;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Fires at a fixed rate, whatever the wall clock shows: at the anchor, and each whole number of periods before and after it.
 * All instances have the same anchor, so they fire at the same instants, also after a restart.
 *
 * @param period whole seconds, at least one
 * @param anchor a whole second
 */
record FixedRateSchedule(Duration period, Instant anchor, ZoneId zone) implements Schedule {
    private static final String KEYWORD = "every ";

    /** Anchored at 1970-01-01T00:00:00Z: {@code every 15 minutes} fires at the full quarters of an hour. */
    static FixedRateSchedule of(Duration period, ZoneId zone) {
        if (!period.equals(period.truncatedTo(ChronoUnit.SECONDS)) || period.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("expected a period of whole seconds, at least 1s, but it is " + period);
        }
        return new FixedRateSchedule(period, Instant.EPOCH, zone);
    }

    FixedRateSchedule anchoredAt(Instant other) {
        return new FixedRateSchedule(period, other, zone);
    }

    @Override
    public ScheduleKind kind() {
        return ScheduleKind.EVERY;
    }

    @Override
    public String text() {
        return KEYWORD + period;
    }

    @Override
    public Optional<Instant> nextAfter(Instant moment) {
        return moment.isAfter(FiringYears.LAST)
                ? Optional.empty()
                : Optional.of(firing(periodsUntil(FiringYears.nearest(moment)) + 1));
    }

    @Override
    public Optional<Instant> latestNotAfter(Instant moment) {
        return Optional.of(firing(periodsUntil(FiringYears.nearest(moment))));
    }

    @Override
    public long countBetween(Instant exclusiveStart, Instant exclusiveEnd, int limit) {
        Instant end = FiringYears.nearest(exclusiveEnd).minusNanos(1);
        long count = periodsUntil(end) - periodsUntil(FiringYears.nearest(exclusiveStart));
        return Math.max(0, Math.min(limit, count));
    }

    /** How many whole periods lie between the anchor and a moment; negative before the anchor. */
    private long periodsUntil(Instant moment) {
        return Math.floorDiv(moment.getEpochSecond() - anchor.getEpochSecond(), period.toSeconds());
    }

    private Instant firing(long periods) {
        return anchor.plusSeconds(periods * period.toSeconds());
    }

    /** Reads {@code every PT30S}. */
    static final class Parser implements ScheduleParser {
        @Override
        public boolean reads(String text) {
            return text.startsWith(KEYWORD + "P");
        }

        @Override
        public Schedule parse(String text, ZoneId zone) {
            try {
                return of(Duration.parse(text.substring(KEYWORD.length()).strip()), zone);
            } catch (DateTimeException e) {
                throw new IllegalArgumentException("expected a period such as \"every PT30S\"", e);
            }
        }
    }
}
