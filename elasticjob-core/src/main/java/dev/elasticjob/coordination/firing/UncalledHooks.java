package dev.elasticjob.coordination.firing;

import dev.elasticjob.coordination.firing.EndedFirings.EndedFiring;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.FiringPlan;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.OpenFiring.Hook;
import dev.elasticjob.coordination.state.OpenFiring.Phase;
import dev.elasticjob.coordination.view.FiringsView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.registry.CommitOutcome;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What becomes of firings that wait for a call of listeners which nobody makes, and which is not to be made.
 *
 * <p>Confined to the coordination executor.
 */
final class UncalledHooks {
    private final JobScope scope;
    private final EndedFirings endedFirings;
    private final HookEnds ends;
    private final FiringHooks.Calls calls;
    private final MissingListeners missing;

    /** @param lookAgain called when it is time to look again */
    UncalledHooks(
            JobScope scope, EndedFirings endedFirings, HookEnds ends, FiringHooks.Calls calls, Runnable lookAgain) {
        this.scope = scope;
        this.endedFirings = endedFirings;
        this.ends = ends;
        this.calls = calls;
        this.missing = new MissingListeners(scope, lookAgain);
    }

    /**
     * Lets the first of them go on without a call, if there is one that needs none, or has had too many crashes.
     *
     * @param mayCall whether this instance may call the listeners of the others
     */
    Optional<CompletionStage<CommitOutcome>> settle(
            Ownership now, FiringsView view, List<OpenFiring> uncalled, boolean mayCall) {
        missing.look(now, mayCall ? List.of() : uncalled);
        for (OpenFiring firing : uncalled) {
            if (isNeedless(now, firing)) {
                return Optional.of(letGo(now, view, firing));
            }
            Hook next = firing.hook().claimedBy(now.instance());
            if (mayCall && next.crashes() >= now.definition().maxFailovers()) {
                return Optional.of(giveUp(now, view, firing, next.crashes()));
            }
        }
        return Optional.empty();
    }

    /** Whether the job has no listeners any more, or has got them anew since. */
    private static boolean isNeedless(Ownership now, OpenFiring firing) {
        FiringPlan plan = Objects.requireNonNull(now.assignment().firings());
        return !plan.listener()
                || (firing.scheduledAt() != null && !firing.scheduledAt().isAfter(plan.from()));
    }

    private CompletionStage<CommitOutcome> letGo(Ownership now, FiringsView view, OpenFiring firing) {
        if (firing.phase() == Phase.AFTER) {
            return endedFirings
                    .outcomes(now, firing)
                    .thenCompose(known -> ends.end(now, view, new EndedFiring(firing, known)));
        }
        OpenFiring begun =
                firing.in(Phase.ITEMS, Hook.NONE, scope.registryTime().now());
        return ends.change(now, view, view.value().changed(firing.id(), before -> begun));
    }

    /** The listeners have crashed their instances so often that nobody calls them again. */
    private CompletionStage<CommitOutcome> giveUp(Ownership now, FiringsView view, OpenFiring firing, int crashes) {
        String reason = "The cluster listeners of firing \"%s\" are not called again after %d crashes"
                .formatted(firing.runIdOf(scope.jobName()), crashes);
        return givenUp(now, view, firing, reason).thenApply(outcome -> {
            if (outcome.isCommitted()) {
                calls.failed(scope.jobName(), new IllegalStateException(reason));
            }
            return outcome;
        });
    }

    private CompletionStage<CommitOutcome> givenUp(Ownership now, FiringsView view, OpenFiring firing, String reason) {
        if (firing.phase() == Phase.AFTER) {
            return endedFirings
                    .outcomes(now, firing)
                    .thenCompose(known -> ends.endFailed(now, view, new EndedFiring(firing, known)));
        }
        OpenFiring refused = firing.refused(reason, scope.registryTime().now());
        return ends.change(now, view, view.value().changed(firing.id(), before -> refused));
    }
}
