package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.DelayedFiring;
import java.time.Instant;
import java.util.Optional;

/** Decides what the leader of a job with a fixed delay does next. Pure. */
final class DelayPlanner {
    private DelayPlanner() {}

    /** A step. */
    sealed interface Step {
        /** Asks for a firing, or completes its request. */
        record Ask(DelayedFiring firing) implements Step {}

        /** Looks whether all items have ended the last firing. */
        record LookForEnds(DelayedFiring last) implements Step {}

        /** Waits for the next firing; if it is empty, the job has none any more. */
        record Await(Optional<Instant> next) implements Step {}
    }

    /** @param registryNow the registry's time */
    static Step next(Optional<DelayedFiring> last, Assignment plan, Instant registryNow) {
        if (last.filter(DelayedFiring::asking).isPresent()) {
            return new Step.Ask(last.get());
        }
        if (last.filter(firing -> firing.ended().isEmpty()).isPresent()) {
            return new Step.LookForEnds(last.get());
        }
        Optional<Instant> next = DelayedFiring.next(last, plan);
        return next.filter(at -> !at.isAfter(registryNow))
                .<Step>map(at -> new Step.Ask(DelayedFiring.after(last, at)))
                .orElseGet(() -> new Step.Await(next));
    }
}
