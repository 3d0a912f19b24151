package dev.elasticjob.coordination.run;

import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.job.after.ParentFiring;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides what a follower does about the firings that it has still to run for. Pure. */
final class FollowUpPlanner {
    private FollowUpPlanner() {}

    /** What comes next. */
    sealed interface Step {
        /** Asks for the run. */
        record Run(FollowUp followUp) implements Step {}

        /**
         * There will be no run.
         *
         * @param reason for an event; empty if the outcome isn't one that it runs after
         */
        record Drop(FollowUp followUp, Optional<String> reason) implements Step {}

        /** Nothing can be done before that moment, by the registry's clock. */
        record Await(Optional<Instant> until) implements Step {}
    }

    /**
     * @param last the run that was asked for last: if its firing is still there, parts of the request may be missing
     * @param registryNow the registry's time
     */
    static Step next(List<FollowUp> all, AfterSettings after, Optional<String> last, Instant registryNow) {
        List<FollowUp> inOrder =
                all.stream().sorted(Comparator.comparingLong(FollowUp::order)).toList();
        Optional<FollowUp> begun = inOrder.stream()
                .filter(followUp -> last.filter(followUp.runId()::equals).isPresent())
                .findFirst();
        if (begun.isPresent()) {
            return new Step.Run(begun.get());
        }
        for (FollowUp followUp : inOrder) {
            Optional<Step> step = step(followUp, after, registryNow);
            if (step.isPresent()) {
                return step.get();
            }
        }
        return new Step.Await(inOrder.stream()
                .map(followUp -> followUp.created().plus(after.window()))
                .min(Comparator.naturalOrder()));
    }

    private static Optional<Step> step(FollowUp followUp, AfterSettings after, Instant registryNow) {
        List<ParentFiring> parents = followUp.parents().stream()
                .filter(parent -> after.jobs().contains(parent.jobName()))
                .toList();
        boolean matches = parents.stream().allMatch(parent -> after.outcome().matches(parent.success()));
        if (!followUp.isReadable()) {
            return Optional.of(new Step.Drop(followUp, Optional.of("what its node says of it can't be read")));
        }
        if (parents.isEmpty()) {
            return Optional.of(new Step.Drop(followUp, Optional.of("its definition no longer names these jobs")));
        }
        if (!matches) {
            return Optional.of(new Step.Drop(followUp, Optional.empty()));
        }
        if (Set.copyOf(followUp.names()).containsAll(after.jobs())) {
            return Optional.of(new Step.Run(followUp));
        }
        if (!followUp.created().plus(after.window()).isAfter(registryNow)) {
            String reason = "%s had not ended the same firing when the window of the others was over"
                    .formatted(after.jobs().stream()
                            .filter(job -> !followUp.names().contains(job))
                            .toList());
            return Optional.of(new Step.Drop(followUp, Optional.of(reason)));
        }
        return Optional.empty();
    }
}
