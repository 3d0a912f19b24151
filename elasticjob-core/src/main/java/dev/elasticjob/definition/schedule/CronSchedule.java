package dev.elasticjob.definition.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Fires by a cron expression on the wall clock of a zone. */
public record CronSchedule(String text, ZoneId zone, CronTimes times) implements Schedule {
    private static final String SIX_FIELDS =
            "expected six fields: second minute hour day-of-month month day-of-week, and optionally year";

    private static final String NEVER_FIRES =
            "expected an expression that fires: no year has such a time. For a job that runs on request only, leave it out";

    private static final int FIELDS_OF_UNIX = 5;

    private static final long LOOK_BACK_SECONDS = 1L << 29;
    /** A leap year that contains every case: each day of the week occurs five times in some month. */
    private static final int SOME_YEAR = 2024;

    /** Also accepts a seventh field, the year. An expression with one was written for Quartz, so it means the same there. */
    static CronSchedule parse(String expression, ZoneId zone) {
        try {
            CronTimes times = CronTimes.parse(expression);
            QuartzExpression quartz = QuartzExpression.parse(expression);
            if (quartz.hasYear() && meansOther(quartz)) {
                throw new IllegalArgumentException("with seven fields, it is Quartz's, but " + quartz.reasons());
            }
            return new CronSchedule(expression, zone, times);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "\"%s\" is not a cron expression: %s".formatted(expression, e.getMessage()), e);
        }
    }

    /**
     * What is wrong with an expression, and what to write instead; empty if nothing is. Also says of one that can be parsed
     * that it never fires; that is no fault of parsing, because plans may have been made with it.
     */
    static Optional<String> problem(String expression, ZoneId zone) {
        try {
            return parse(expression, zone).nextAfter(CronYears.BEFORE_ALL).isPresent()
                    ? Optional.empty()
                    : Optional.of(NEVER_FIRES);
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
        if (quartz.isComplete()) {
            String reasons = quartz.reasons();
            return advice(
                    quartz.translated(),
                    "the equivalent of the Quartz expression" + (reasons.isEmpty() ? "" : ": " + reasons));
        }
        return quartz.fields().size() == FIELDS_OF_UNIX
                ? advice("0 " + String.join(" ", quartz.fields()), "the first field, the seconds, is missing")
                : Optional.empty();
    }

    private static Optional<String> advice(String right, String why) {
        return CronTimes.isValid(right) ? Optional.of("write \"%s\" (%s)".formatted(right, why)) : Optional.empty();
    }

    /** A warning about an expression that was written for Quartz, if it fires at other times here. */
    public static Optional<String> otherThanInQuartz(String expression) {
        QuartzExpression quartz = QuartzExpression.parse(expression);
        if (!quartz.isComplete() || !CronTimes.isValid(expression) || !meansOther(quartz)) {
            return Optional.empty();
        }
        String here = days(quartz.field(CronField.DAY_OF_WEEK));
        String there = days(quartz.translated(CronField.DAY_OF_WEEK));
        return Optional.of(
                here.equals(there)
                        ? "cron \"%s\" now fires at other times than in Elastic-Job: %s. Write \"%s\" to keep the old meaning"
                                .formatted(expression, quartz.reasons(), quartz.translated())
                        : ("cron \"%s\" now means %s, but in Elastic-Job it meant %s: Quartz counts days from SUN=1,"
                                        + " whereas MON is 1 here. Write \"%s\" to keep the old meaning, or use names of"
                                        + " days for the new one")
                                .formatted(expression, here, there, quartz.translated()));
    }

    /**
     * The expression that fires here when Quartz fires this one: itself if it does. Empty if there is none, or if it is not
     * an expression of Quartz; {@link #advice} may know a similar one.
     */
    public static Optional<String> fromQuartz(String expression) {
        QuartzExpression quartz = QuartzExpression.parse(expression);
        if (!quartz.isComplete()) {
            return Optional.empty();
        }
        if (CronTimes.isValid(expression) && !meansOther(quartz)) {
            return Optional.of(quartz.isForEveryYear() ? quartz.withoutYear() : expression);
        }
        return Optional.of(quartz.translated()).filter(CronTimes::isValid);
    }

    private static boolean meansOther(QuartzExpression quartz) {
        return quartz.known().anyMatch(field -> {
            String here = quartz.field(field);
            String there = quartz.translated(field);
            return !here.equals(there) && !meaning(field, here).equals(meaning(field, there));
        });
    }

    /** Equal for fields that select the same; empty if such a field can't be parsed. */
    private static Optional<Object> meaning(CronField field, String text) {
        String[] fields = {"0", "0", "0", "?", "*", "?", "*"};
        fields[field.index()] = text;
        String midnights = String.join(" ", fields);
        if (!CronTimes.isValid(midnights)) {
            return Optional.empty();
        }
        CronTimes times = CronTimes.parse(midnights);
        return Optional.of(field == CronField.DAY_OF_WEEK ? dates(times) : times);
    }

    /** The days of the week on which such a field fires; none if it can't be parsed. */
    private static String days(String dayOfWeek) {
        String midnights = "0 0 0 ? * " + dayOfWeek;
        return CronTimes.isValid(midnights)
                ? dates(CronTimes.parse(midnights)).stream()
                        .map(LocalDate::getDayOfWeek)
                        .distinct()
                        .sorted()
                        .map(day -> day.name().substring(0, 3))
                        .collect(Collectors.joining(","))
                : "";
    }

    private static List<LocalDate> dates(CronTimes midnights) {
        List<LocalDate> dates = new ArrayList<>();
        LocalDateTime next =
                midnights.next(LocalDate.ofYearDay(SOME_YEAR, 1).atStartOfDay().minusNanos(1));
        while (next != null && next.getYear() == SOME_YEAR) {
            dates.add(next.toLocalDate());
            next = midnights.next(next);
        }
        return dates;
    }

    @Override
    public ScheduleKind kind() {
        return ScheduleKind.CRON;
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
