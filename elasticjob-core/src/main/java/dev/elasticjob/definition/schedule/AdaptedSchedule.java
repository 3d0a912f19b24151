package dev.elasticjob.definition.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/** A schedule whose firings are those of another one, of which some are left out or moved. */
interface AdaptedSchedule extends Schedule {
    Schedule inner();

    /** The same for another schedule. */
    Schedule around(Schedule other);

    /** With a fixed rate counted from a begin, wherever it is within a schedule; any other schedule as it is. */
    static Schedule anchored(Schedule schedule, Instant begin) {
        if (schedule instanceof FixedRateSchedule rate) {
            return rate.anchoredAt(begin);
        }
        return schedule instanceof AdaptedSchedule adapted
                ? adapted.around(anchored(adapted.inner(), begin))
                : schedule;
    }

    @Override
    default ScheduleKind kind() {
        return inner().kind();
    }

    @Override
    default Schedule plain() {
        return inner().plain();
    }

    @Override
    default Optional<String> cron() {
        return inner().cron();
    }

    @Override
    default ZoneId zone() {
        return inner().zone();
    }

    @Override
    default long countBetween(Instant exclusiveStart, Instant exclusiveEnd, int limit) {
        return Schedules.walked(this, exclusiveStart, exclusiveEnd, limit);
    }
}
