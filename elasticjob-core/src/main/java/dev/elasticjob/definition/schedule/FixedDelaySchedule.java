package dev.elasticjob.definition.schedule;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Fires some time after the end of the last firing. It has no times of its own, so nothing is ever missed.
 *
 * @param length of the delay: whole seconds, at least one
 */
record FixedDelaySchedule(Duration length, ZoneId zone) implements Schedule {
    private static final String KEYWORD = "fixedDelay ";

    static FixedDelaySchedule of(Duration length, ZoneId zone) {
        if (!length.equals(length.truncatedTo(ChronoUnit.SECONDS)) || length.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("expected a delay of whole seconds, at least 1s, but it is " + length);
        }
        return new FixedDelaySchedule(length, zone);
    }

    @Override
    public ScheduleKind kind() {
        return ScheduleKind.FIXED_DELAY;
    }

    @Override
    public String text() {
        return KEYWORD + length;
    }

    @Override
    public Optional<Duration> delay() {
        return Optional.of(length);
    }

    @Override
    public Optional<Instant> nextAfterEnd(Optional<Instant> end, Instant earliest) {
        return Optional.of(end.map(last -> last.plus(length))
                .filter(next -> next.isAfter(earliest))
                .orElse(earliest));
    }

    @Override
    public Optional<Instant> nextAfter(Instant moment) {
        return Optional.empty();
    }

    @Override
    public Optional<Instant> latestNotAfter(Instant moment) {
        return Optional.empty();
    }

    @Override
    public long countBetween(Instant exclusiveStart, Instant exclusiveEnd, int limit) {
        return 0;
    }

    /** Reads {@code fixedDelay PT30S}. */
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
                throw new IllegalArgumentException("expected a delay such as \"fixedDelay PT30S\"", e);
            }
        }
    }
}
