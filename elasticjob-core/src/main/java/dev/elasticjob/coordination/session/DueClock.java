package dev.elasticjob.coordination.session;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The time by which firings are due on this instance, {@link RegistryTime#due()}, as a clock. */
public final class DueClock extends Clock {
    private final InstantSource time;
    private final ZoneId zone;

    /** @param due the time, which any thread may ask for */
    public DueClock(InstantSource due) {
        this(due, ZoneOffset.UTC);
    }

    private DueClock(InstantSource time, ZoneId zone) {
        this.time = time;
        this.zone = zone;
    }

    @Override
    public Instant instant() {
        return time.instant();
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    @Override
    public Clock withZone(ZoneId other) {
        return new DueClock(time, other);
    }
}
