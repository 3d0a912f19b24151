package dev.elasticjob.definition.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * When a job fires. An immutable value without a clock: the same schedule and the same moment give the same answer on
 * every machine. Firings fall on whole seconds.
 */
public sealed interface Schedule permits CronSchedule, ManualSchedule {
    /**
     * Fires by a cron expression of six fields, as Spring's {@code CronExpression} reads it, on the wall clock of the
     * given zone. A time that daylight saving skips has no firing that day; one that it repeats has two.
     *
     * @throws IllegalArgumentException if the expression can't be parsed; the message quotes it and says why
     */
    static Schedule cron(String expression, ZoneId zone) {
        return CronSchedule.parse(expression, zone);
    }

    /** Fires by a cron expression; never, if that is empty: the schedule of a one-off job. */
    static Schedule of(String cron, ZoneId zone) {
        return cron.isEmpty() ? manual() : cron(cron, zone);
    }

    /** Never fires. */
    static Schedule manual() {
        return new ManualSchedule();
    }

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
     * How many firings lie strictly between two moments. Walks from one to the next and stops counting at the limit.
     *
     * @param limit the answer never exceeds it
     */
    long countBetween(Instant exclusiveStart, Instant exclusiveEnd, int limit);
}
