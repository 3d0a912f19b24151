package dev.elasticjob.coordination.state;

import java.time.Instant;
import java.util.Optional;

/**
 * When an item was executing, as its record says: by the clock of the instance that ran it.
 *
 * @param from the beginning; the time that it waited for a thread before doesn't count. After a take-over, the beginning of
 *     the first attempt is unknown, and a manual run hides the execution before it, behind which nothing was due: then all
 *     that came due before the end counts
 * @param until the end
 */
public record BusyTime(Instant from, Instant until) {
    /**
     * The time of the record's execution, once it has ended. One that was interrupted, and isn't repeated, tells no end: who
     * recorded it came later. Nor does one that never began, or whose end is in the future of both clocks.
     */
    public static Optional<BusyTime> of(ItemRecord record, Instant now, Instant registryNow) {
        Instant until = record.finishedAt();
        if (until == null || record.state() == ItemState.INTERRUPTED || record.isRefused()) {
            return Optional.empty();
        }
        boolean credible = !until.isAfter(now) || !until.isAfter(registryNow);
        Instant began = record.startedAt();
        boolean hasOtherAttempts = record.attempt() > 1 || record.crashes() > 0;
        Instant from = began == null || hasOtherAttempts || record.run() != null ? Instant.MIN : began;
        return credible ? Optional.of(new BusyTime(from, until)) : Optional.empty();
    }

    public boolean contains(Instant firing) {
        return !firing.isBefore(from) && !firing.isAfter(until);
    }
}
