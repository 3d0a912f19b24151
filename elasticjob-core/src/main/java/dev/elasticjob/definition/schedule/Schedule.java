package dev.elasticjob.definition.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * When a job fires. An immutable value without a clock: the same schedule and the same moment give the same answer on
 * every machine. Firings fall on whole seconds. Two schedules are equal if their texts and their zones are.
 *
 * <p>It is stored as its text and its zone. {@link ScheduleParser} tells how a text is read.
 */
public interface Schedule {
    /**
     * Reads a schedule: none for an empty text, otherwise by the first {@link ScheduleParser} that reads it, otherwise a
     * cron expression.
     *
     * @throws IllegalArgumentException if the text can't be read; the message says what was expected instead
     */
    static Schedule of(String text, ZoneId zone) {
        return Schedules.parserOf(text).parse(text, zone);
    }

    /** What is wrong with a text, and what to write instead; empty if it is a schedule. */
    static Optional<String> problem(String text, ZoneId zone) {
        return Schedules.parserOf(text).problem(text, zone);
    }

    /**
     * Fires by a cron expression of six fields, as Spring's {@code CronExpression} reads it, on the wall clock of the
     * given zone. A time that daylight saving skips has no firing that day; one that it repeats has two.
     *
     * @throws IllegalArgumentException if the expression can't be parsed; the message quotes it and says why
     */
    static Schedule cron(String expression, ZoneId zone) {
        return CronSchedule.parse(expression, zone);
    }

    /** As it was written, and as it is stored; empty for the schedule of a job that runs only on request. */
    String text();

    /** On whose wall clock it fires. */
    ZoneId zone();

    /** The first firing later than the given moment; empty when there is none. */
    Optional<Instant> nextAfter(Instant moment);

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
}
