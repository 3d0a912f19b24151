package dev.elasticjob.coordination.run;

import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/** Decides what the leader does next about a backfill. Pure. */
final class BackfillPlanner {
    private BackfillPlanner() {}

    /** A step. */
    sealed interface Step {
        /** Asks for the runs of a time, and forgets those that have ended. */
        record Ask(Backfill from, Instant time) implements Step {}

        /** Only forgets times that have ended. */
        record Forget(Backfill left) implements Step {}

        /** Waits until an open time has ended. */
        record Await() implements Step {}
    }

    /**
     * @param ended the open times that all items have ended
     * @param failed those of them that an item didn't complete
     * @param registryNow what is due later is left to the schedule
     */
    static Step next(Backfill now, Collection<Instant> ended, Collection<Instant> failed, Instant registryNow) {
        Backfill left = now.without(ended, failed).past(registryNow);
        Optional<Instant> due =
                now.asking().or(() -> left.open().size() < left.atOnce() ? left.next() : Optional.empty());
        if (due.isPresent()) {
            return new Step.Ask(left, due.get());
        }
        return left.equals(now) ? new Step.Await() : new Step.Forget(left);
    }
}
