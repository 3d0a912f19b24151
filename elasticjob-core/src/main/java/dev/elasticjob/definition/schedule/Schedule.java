package dev.elasticjob.definition.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * When a job fires. An immutable value without a clock: the same schedule and the same moment give the same answer on
 * every machine. Firings fall on whole seconds. Two schedules are equal if their texts and their zones are.
 *
 * <p>It is stored as its text and its zone. {@link ScheduleParser} tells how a text is read.
 */
public interface Schedule {
    /**
     * Reads the text of any schedule, as it is stored.
     *
     * @throws IllegalArgumentException if the text can't be read; the message says what was expected instead
     */
    static Schedule of(String text, ZoneId zone) {
        return Schedules.parserOf(text).parse(text, zone);
    }

    /**
     * Reads what people write as the {@code cron} of a job: nothing for a schedule without firings, otherwise by the first
     * {@link ScheduleParser} of the application that reads it, otherwise one or several cron expressions with semicolons
     * between them.
     *
     * @throws IllegalArgumentException if the text can't be read; the message says what was expected instead
     */
    static Schedule ofCron(String text, ZoneId zone) {
        return Schedules.parserOfCron(text).parse(text, zone);
    }

    /** What is wrong with the {@code cron} of a job, and what to write instead; empty if nothing is. */
    static Optional<String> problemOfCron(String text, ZoneId zone) {
        return Schedules.parserOfCron(text).problem(text, zone);
    }

    /**
     * Fires by a cron expression on the wall clock of the given zone: six fields, as Spring's {@code CronExpression} reads
     * them, with Quartz's ranges that wrap around, or seven, the last of which are years, as Quartz reads them. A time that
     * daylight saving skips has no firing that day; one that it repeats has two.
     *
     * @throws IllegalArgumentException if the expression can't be parsed; the message quotes it and says why
     */
    static Schedule cron(String expression, ZoneId zone) {
        return CronSchedule.parse(expression, zone);
    }

    /**
     * Fires at a fixed rate, whatever the wall clock shows, counted from 1970-01-01T00:00:00Z, or from the begin that {@link
     * #between} gives it.
     *
     * @throws IllegalArgumentException if the period is no whole number of seconds, or none at all
     */
    static Schedule every(Duration period, ZoneId zone) {
        return FixedRateSchedule.of(period, zone);
    }

    /**
     * Fires some time after the end of the last firing. When that is, follows from that end: {@link #nextAfter} and the other
     * questions about times find no firings.
     *
     * @throws IllegalArgumentException if the delay is no whole number of seconds, or none at all
     */
    static Schedule fixedDelay(Duration delay, ZoneId zone) {
        return FixedDelaySchedule.of(delay, zone);
    }

    /**
     * Fires once.
     *
     * @throws IllegalArgumentException unless {@link #canFireAt}
     */
    static Schedule at(Instant time, ZoneId zone) {
        return OneTimeSchedule.of(time, zone);
    }

    /** Whether a schedule may fire at that time: a whole second of a year with four digits. */
    static boolean canFireAt(Instant time) {
        return FiringYears.fault(time).isEmpty();
    }

    /**
     * This schedule without the firings before or after a time. Those at the times themselves stay.
     *
     * @throws IllegalArgumentException if the end is before the begin, or unless {@link #canFireAt} both
     */
    default Schedule between(Optional<Instant> begin, Optional<Instant> end) {
        return BoundedSchedule.of(this, begin, end);
    }

    /**
     * This schedule without the firings that a calendar leaves out, on the wall clock of the {@link #zone()}.
     *
     * @param moves whether a firing on a day that is left out moves to the next day that isn't, at the same time of day
     */
    default Schedule except(JobCalendar calendar, boolean moves) {
        return new CalendarSchedule(this, calendar.withoutName(), moves);
    }

    /**
     * This schedule with all firings the same time later.
     *
     * @throws IllegalArgumentException if the offset is negative, or no whole number of seconds
     */
    default Schedule shiftedBy(Duration offset) {
        return ShiftedSchedule.of(this, offset);
    }

    /** What decides when it fires. */
    default ScheduleKind kind() {
        return ScheduleKind.OTHER;
    }

    /** This schedule before anything left out or moved its firings: without bounds, calendar and spread. */
    default Schedule plain() {
        return this;
    }

    /** The one cron expression by which it fires, within bounds and a calendar if it has them; empty for any other schedule. */
    default Optional<String> cron() {
        return Optional.empty();
    }

    /** The time from the end of a firing to the next one, if firings follow from ends; empty for any other schedule. */
    default Optional<Duration> delay() {
        return Optional.empty();
    }

    /**
     * The next firing, in a schedule with a {@link #delay()}.
     *
     * @param end of the last firing; empty before the first one
     * @param earliest before which there is none
     * @return empty if there is none any more, and in any other schedule
     */
    default Optional<Instant> nextAfterEnd(Optional<Instant> end, Instant earliest) {
        return Optional.empty();
    }

    /** As it was written, and as it is stored; empty for the schedule of a job that runs only on request. */
    String text();

    /** On whose wall clock it fires. */
    ZoneId zone();

    /** The first firing later than the given moment; empty when there is none. */
    Optional<Instant> nextAfter(Instant moment);

    /** The firings later than the given moment, in order. Each is looked for when it is asked for; there may be no end. */
    default Stream<Instant> firingsAfter(Instant moment) {
        return Stream.iterate(nextAfter(moment), Optional::isPresent, firing -> firing.flatMap(this::nextAfter))
                .map(Optional::orElseThrow);
    }

    /**
     * The last firing at or before the given moment; empty when there is none in the 17 years before.
     *
     * <p>Cheap when the last firing was a moment ago, and logarithmic in its distance otherwise: however often the
     * schedule fires, it never walks from one firing to the next.
     */
    Optional<Instant> latestNotAfter(Instant moment);

    /**
     * How many firings lie strictly between two moments. May walk from one to the next, and stops counting at the limit.
     *
     * @param limit the answer never exceeds it
     */
    long countBetween(Instant exclusiveStart, Instant exclusiveEnd, int limit);

    /**
     * The firings that a calendar leaves out or moves, after a moment, earliest first. None in a schedule without a calendar.
     *
     * @param until the last moment that is looked at; empty for as far as there are any
     * @param limit the answer has no more
     */
    default List<LeftOut> leftOut(Instant after, Optional<Instant> until, int limit) {
        return List.of();
    }
}
