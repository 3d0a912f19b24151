package dev.elasticjob.definition.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/** The schedule of a job that runs only on request. */
record ManualSchedule(ZoneId zone) implements Schedule {
    @Override
    public ScheduleKind kind() {
        return ScheduleKind.ON_REQUEST;
    }

    @Override
    public String text() {
        return "";
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
}
