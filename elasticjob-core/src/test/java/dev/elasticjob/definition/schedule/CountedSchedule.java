package dev.elasticjob.definition.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** {@code counted 0 * * * * ?}: counts how often it is asked. */
public record CountedSchedule(Schedule inner, AtomicInteger count) implements AdaptedSchedule {
    private static final String KEYWORD = "counted ";
    private static final AtomicInteger ASKED = new AtomicInteger();

    /** How often all of them have been asked since the last call. */
    public static int asked() {
        return ASKED.getAndSet(0);
    }

    @Override
    public String text() {
        return KEYWORD + inner.text();
    }

    @Override
    public Schedule around(Schedule other) {
        return new CountedSchedule(other, count);
    }

    @Override
    public Optional<Instant> nextAfter(Instant moment) {
        count.incrementAndGet();
        return inner.nextAfter(moment);
    }

    @Override
    public Optional<Instant> latestNotAfter(Instant moment) {
        count.incrementAndGet();
        return inner.latestNotAfter(moment);
    }

    public static final class Parser implements ScheduleParser {
        @Override
        public boolean reads(String text) {
            return text.startsWith(KEYWORD);
        }

        @Override
        public Schedule parse(String text, ZoneId zone) {
            return new CountedSchedule(Schedule.of(text.substring(KEYWORD.length()), zone), ASKED);
        }
    }
}
