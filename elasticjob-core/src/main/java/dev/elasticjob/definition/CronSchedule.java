package dev.elasticjob.definition;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.CronExpression;

/** Fires by a cron expression on the wall clock of a zone: the one class here that knows Spring. */
record CronSchedule(String expression, ZoneId zone, CronExpression parsed) implements Schedule {
    private static final long LOOK_BACK_SECONDS = 1L << 29;

    static CronSchedule parse(String expression, ZoneId zone) {
        try {
            return new CronSchedule(expression, zone, CronExpression.parse(expression));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "\"%s\" is not a cron expression: %s".formatted(expression, e.getMessage()), e);
        }
    }

    /** What to say of an expression that was written for Quartz, if it means other days of the week here. */
    static Optional<String> quartzDays(String expression) {
        String[] fields = expression.strip().split("\\s+");
        boolean numbers =
                fields.length == 6 && fields[5].replaceAll("[#/]\\d+", "").matches(".*\\d.*");
        return numbers
                ? Optional.of(("cron \"%s\" gives days of the week as numbers: 2.1.5 counted from SUN=1, here MON is 1;"
                                + " write them as names")
                        .formatted(expression))
                : Optional.empty();
    }

    @Override
    public Optional<Instant> nextAfter(Instant moment) {
        return Optional.ofNullable(next(moment));
    }

    /**
     * Spring's expression only looks ahead. So: looks back 1, 2, 4, … seconds until the next firing from there is not
     * after the moment; from then on halves the gap between the latest firing found and the place from which none was
     * found.
     */
    @Override
    public Optional<Instant> latestNotAfter(Instant moment) {
        long last = moment.getEpochSecond();
        long emptyFrom = last;
        for (long back = 1; back <= LOOK_BACK_SECONDS; back *= 2) {
            long firing = nextSecond(last - back);
            if (firing <= last) {
                return Optional.of(Instant.ofEpochSecond(latestBetween(firing, emptyFrom, last)));
            }
            emptyFrom = last - back;
        }
        return Optional.empty();
    }

    @Override
    public long countBetween(Instant exclusiveStart, Instant exclusiveEnd, int limit) {
        long count = 0;
        Instant firing = next(exclusiveStart);
        while (count < limit && firing != null && firing.isBefore(exclusiveEnd)) {
            count++;
            firing = next(firing);
        }
        return count;
    }

    /**
     * The latest firing not after {@code last}.
     *
     * @param firing one of them
     * @param emptyFrom no firing is later than this, up to {@code last}
     */
    private long latestBetween(long firing, long emptyFrom, long last) {
        long latest = firing;
        long empty = emptyFrom;
        long probe = latest;
        while (latest < empty) {
            long next = nextSecond(probe);
            if (next <= last) {
                latest = next;
            } else {
                empty = probe;
            }
            probe = latest + (empty - latest) / 2;
        }
        return latest;
    }

    private long nextSecond(long epochSecond) {
        Instant next = next(Instant.ofEpochSecond(epochSecond));
        return next == null ? Long.MAX_VALUE : next.getEpochSecond();
    }

    /**
     * Asks for the next time on the wall clock, within the span in which the zone keeps its offset, then in the span
     * after it. Spring's own walk over zoned times can turn back where clocks are put back by less than an hour
     * (Australia/Lord_Howe), and would never end.
     */
    private @Nullable Instant next(Instant moment) {
        ZoneRules rules = zone.getRules();
        Instant from = moment;
        LocalDateTime wallClock = LocalDateTime.ofInstant(moment, zone);
        while (true) {
            LocalDateTime next = parsed.next(wallClock);
            if (next == null) {
                return null;
            }
            Instant firing = next.toInstant(rules.getOffset(from));
            ZoneOffsetTransition change = rules.nextTransition(from);
            if (change == null || firing.isBefore(change.getInstant())) {
                return firing;
            }
            from = change.getInstant();
            wallClock = change.getDateTimeAfter().minusNanos(1);
        }
    }
}
