package dev.elasticjob.definition.schedule;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Fires by a cron expression on the wall clock of a zone. */
public record CronSchedule(String text, ZoneId zone, CronTimes times) implements Schedule {
    private static final String SIX_FIELDS = "expected six fields: second minute hour day-of-month month day-of-week";

    private static final long LOOK_BACK_SECONDS = 1L << 29;
    /** A leap year that contains every case: each day of the week occurs five times in some month. */
    private static final LocalDateTime SOME_YEAR = LocalDateTime.of(2024, 1, 1, 0, 0);

    /** Also accepts a seventh field, the year, if it is {@code *}, as in Quartz. */
    static CronSchedule parse(String expression, ZoneId zone) {
        QuartzExpression quartz = QuartzExpression.parse(expression);
        boolean sameWithoutYear = quartz.isForEveryYear() && !meansOtherDays(quartz);
        try {
            CronTimes times = CronTimes.parse(sameWithoutYear ? quartz.withoutYear() : expression);
            return new CronSchedule(expression, zone, times);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "\"%s\" is not a cron expression: %s".formatted(expression, e.getMessage()), e);
        }
    }

    /** What is wrong with an expression, and what to write instead; empty if it can be parsed. */
    static Optional<String> problem(String expression, ZoneId zone) {
        try {
            parse(expression, zone);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            String instead = advice(expression).map(advice -> advice + "; ").orElse("");
            String reason = String.valueOf(
                    e.getCause() == null ? e.getMessage() : e.getCause().getMessage());
            return Optional.of("%s%s (%s)".formatted(instead, SIX_FIELDS, reason));
        }
    }

    /** The expression to write instead of one that can't be parsed, and the reason; empty if none is known. */
    public static Optional<String> advice(String expression) {
        QuartzExpression quartz = QuartzExpression.parse(expression);
        return switch (quartz.fields().size()) {
            case 5 -> advice("0 " + String.join(" ", quartz.fields()), "the first field, the seconds, is missing");
            case 6 -> advice(quartz.translated(), "the equivalent of the Quartz expression");
            case 7 ->
                quartz.isForEveryYear()
                        ? advice(quartz.translated(), "the equivalent of the Quartz expression with seven fields")
                        : advice(
                                quartz.translated(),
                                "Quartz's seventh field, the year, is not supported; this fires in every year");
            default -> Optional.empty();
        };
    }

    private static Optional<String> advice(String right, String why) {
        return CronTimes.isValid(right) ? Optional.of("write \"%s\" (%s)".formatted(right, why)) : Optional.empty();
    }

    /** A warning about an expression that was written for Quartz, if it means other days of the week here. */
    public static Optional<String> quartzDays(String expression) {
        QuartzExpression quartz = QuartzExpression.parse(expression);
        return quartz.hasDayOfWeek() && meansOtherDays(quartz)
                ? Optional.of(
                        ("cron \"%s\" now means %s, but in Elastic-Job it meant %s: Quartz counts days from SUN=1,"
                                        + " whereas MON is 1 here. Write \"%s\" to keep the old meaning, or use names of"
                                        + " days for the new one")
                                .formatted(
                                        expression,
                                        days(quartz.dayOfWeek()),
                                        days(quartz.translatedDayOfWeek()),
                                        quartz.translated()))
                : Optional.empty();
    }

    /**
     * The expression of six fields that fires when Quartz fires this one. Empty if there is none, or if it is not an
     * expression of Quartz; {@link #advice} may know a similar one.
     */
    public static Optional<String> fromQuartz(String expression) {
        QuartzExpression quartz = QuartzExpression.parse(expression);
        if (!quartz.hasDayOfWeek() || (quartz.hasYear() && !quartz.isForEveryYear())) {
            return Optional.empty();
        }
        if (CronTimes.isValid(quartz.withoutYear()) && !meansOtherDays(quartz)) {
            return Optional.of(quartz.hasYear() ? quartz.withoutYear() : expression);
        }
        return Optional.of(quartz.translated()).filter(CronTimes::isValid);
    }

    private static boolean meansOtherDays(QuartzExpression quartz) {
        return !days(quartz.dayOfWeek()).equals(days(quartz.translatedDayOfWeek()));
    }

    /** The days of the week on which such a field fires; none if it can't be parsed. */
    private static String days(String dayOfWeek) {
        String midnights = "0 0 0 ? * " + dayOfWeek;
        if (!CronTimes.isValid(midnights)) {
            return "";
        }
        CronTimes parsed = CronTimes.parse(midnights);
        Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
        LocalDateTime day = parsed.next(SOME_YEAR);
        while (day != null && day.isBefore(SOME_YEAR.plusYears(1))) {
            days.add(day.getDayOfWeek());
            day = parsed.next(day);
        }
        return days.stream().map(each -> each.name().substring(0, 3)).collect(Collectors.joining(","));
    }

    @Override
    public Optional<String> cron() {
        return Optional.of(text);
    }

    @Override
    public Optional<Instant> nextAfter(Instant moment) {
        return moment.isAfter(FiringYears.LAST)
                ? Optional.empty()
                : Optional.ofNullable(next(FiringYears.nearest(moment)));
    }

    /**
     * Spring's expression only looks ahead. So this goes back 1, 2, 4, … seconds, until the next firing from there is
     * not after the given moment. Then it halves the gap between the latest firing found and the point after which
     * there is none.
     */
    @Override
    public Optional<Instant> latestNotAfter(Instant moment) {
        long last = FiringYears.nearest(moment).getEpochSecond();
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
        Instant firing = exclusiveStart.isAfter(FiringYears.LAST) ? null : next(FiringYears.nearest(exclusiveStart));
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
     * Asks for the next time on the wall clock, first within the span in which the zone keeps its offset, then in the
     * span after it. Spring's own search over zoned times can go backwards where clocks are set back by less than an
     * hour (Australia/Lord_Howe), and would never end.
     */
    private @Nullable Instant next(Instant moment) {
        ZoneRules rules = zone.getRules();
        Instant from = moment;
        LocalDateTime wallClock = LocalDateTime.ofInstant(moment, zone);
        while (true) {
            LocalDateTime next = times.next(wallClock);
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
