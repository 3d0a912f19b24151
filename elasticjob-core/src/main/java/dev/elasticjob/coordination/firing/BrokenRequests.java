package dev.elasticjob.coordination.firing;

import dev.elasticjob.coordination.run.ManualRuns;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.FiringPlan;
import dev.elasticjob.coordination.state.ItemRanges;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.OpenFiring.Phase;
import dev.elasticjob.coordination.state.OpenFirings;
import dev.elasticjob.coordination.view.FiringsView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.registry.CommitOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Manual runs whose request has taken its first transaction and not its last one. After a while the instance that owns the
 * lowest item completes it: whoever asks may be gone.
 *
 * <p>Confined to the coordination executor.
 */
final class BrokenRequests {
    /** How long the one that asks has for its transactions. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(BrokenRequests.class);

    private final JobScope scope;
    private final Runnable lookAgain;
    private final Map<String, Instant> seen = new HashMap<>();
    private boolean waits;

    /** @param lookAgain called when it is time to look again */
    BrokenRequests(JobScope scope, Runnable lookAgain) {
        this.scope = scope;
        this.lookAgain = lookAgain;
    }

    /** Whether a request is under way, or has broken off. */
    static boolean isAsking(OpenFirings firings) {
        return firings.open().stream().anyMatch(OpenFiring::isAsking);
    }

    /**
     * What becomes of the first one that is not to be waited for any longer.
     *
     * @return empty if there is none; otherwise, the outcome, as far as it depends on the ownership
     */
    Optional<CompletionStage<Optional<CommitOutcome>>> settle(Ownership now, FiringsView view, HookEnds ends) {
        List<OpenFiring> asking =
                view.value().open().stream().filter(OpenFiring::isAsking).toList();
        Instant moment = scope.registryTime().now();
        seen.keySet().retainAll(asking.stream().map(OpenFiring::id).toList());
        asking.forEach(firing -> seen.putIfAbsent(firing.id(), moment));
        for (OpenFiring firing : asking) {
            if (isForeign(now.assignment(), firing)) {
                return Optional.of(letGo(now, view, firing, ends).thenApply(Optional::of));
            }
            if (ownsLowest(now)
                    && !Objects.requireNonNull(seen.get(firing.id()))
                            .plus(PATIENCE)
                            .isAfter(moment)) {
                return Optional.of(complete(now, firing));
            }
        }
        if (!asking.isEmpty() && !waits) {
            waits = true;
            scope.connection().later(PATIENCE, () -> {
                waits = false;
                lookAgain.run();
            });
        }
        return Optional.empty();
    }

    /** Whether firings have not been opened since, or it was asked for before that. */
    private static boolean isForeign(Assignment assignment, OpenFiring firing) {
        FiringPlan plan = assignment.firings();
        return !assignment.opensFirings() || plan == null || firing.since().isBefore(plan.from());
    }

    /** Nothing waits for it, and what was asked may have ended long ago: it ends with what is known. */
    private static CompletionStage<CommitOutcome> letGo(
            Ownership now, FiringsView view, OpenFiring firing, HookEnds ends) {
        FiringPlan plan = now.assignment().firings();
        Phase next = plan != null && plan.listener() ? Phase.BEFORE : Phase.ITEMS;
        return ends.change(now, view, view.value().changed(firing.id(), asking -> asking.asked(asking.items(), next)));
    }

    /** One is enough. */
    private static boolean ownsLowest(Ownership now) {
        return now.assignment().owners().entrySet().stream()
                .findFirst()
                .filter(lowest -> now.items().contains(lowest.getKey()))
                .isPresent();
    }

    private CompletionStage<Optional<CommitOutcome>> complete(Ownership now, OpenFiring firing) {
        return new ManualRuns(scope, now.session()).complete(firing).thenApply(completed -> {
            completed.ifPresent(items -> log.warn(
                    "Job \"{}\": the request for run \"{}\" broke off between two of its transactions. It goes on with items"
                            + " [{}] of [{}]",
                    scope.jobName(),
                    firing.runId(),
                    ItemRanges.text(List.copyOf(items)),
                    ItemRanges.text(List.copyOf(firing.items()))));
            return Optional.empty();
        });
    }
}
