package dev.elasticjob.coordination.state;

import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.registry.RegistryMoment;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A schedule that was in force until it was replaced, or until operators paused the job. A firing that became due under
 * it and did not start, because its item was running or there was no instance, is still owed.
 *
 * @param since firings up to this time were not owed
 * @param until the last time at which a firing was owed
 */
public record FormerSchedule(Schedule schedule, Instant since, Instant until) {
    private static final long ONE_NANO = 1;

    /** The last firing owed under it; empty if there is none. */
    public Optional<Instant> latest() {
        return schedule.latestNotAfter(until).filter(since::isBefore);
    }

    /** The last firing owed under it that has come by then; empty if there is none. */
    Optional<Instant> latestNotAfter(Instant now) {
        return schedule.latestNotAfter(now.isBefore(until) ? now : until).filter(since::isBefore);
    }

    /** The same without times that are ahead of the registry's clock. */
    FormerSchedule corrected(RegistryMoment present) {
        return new FormerSchedule(schedule, present.bounded(since), present.bounded(until));
    }

    /**
     * The number of firings owed under it between two times.
     *
     * @param seen the firing that the item has seen; null if it has seen none
     */
    int countBetween(@Nullable Instant seen, Instant exclusiveEnd, int limit) {
        Instant end = exclusiveEnd.isAfter(until) ? until.plusNanos(ONE_NANO) : exclusiveEnd;
        return (int) schedule.countBetween(start(seen), end, limit);
    }

    /**
     * The first firing owed under it; empty if there is none.
     *
     * @param seen after which moment; null for all of them
     */
    public Optional<Instant> nextAfter(@Nullable Instant seen) {
        return schedule.nextAfter(start(seen)).filter(firing -> !firing.isAfter(until));
    }

    private Instant start(@Nullable Instant seen) {
        return seen != null && seen.isAfter(since) ? seen : since;
    }
}
