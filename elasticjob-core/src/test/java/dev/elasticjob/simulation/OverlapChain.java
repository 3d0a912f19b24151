package dev.elasticjob.simulation;

import dev.elasticjob.admin.command.OverlapCancellations;
import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.Jitter;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.simulation.Replica.Change;
import dev.elasticjob.simulation.Replica.Kind;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What comes due while an item executes: in a job with {@code overlap=SKIP} the item never runs it, and with {@code
 * CANCEL_RUNNING} it cancels what runs, once it is due, and nothing else is cancelled for it. With {@code catchUp=EACH}, only
 * the firing that runs next cancels, if it has come due meanwhile.
 */
final class OverlapChain extends Chain {
    private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);

    private final Clock clock;
    private final List<String> late = new ArrayList<>();
    private Optional<Duration> patience = Optional.empty();

    OverlapChain(Oracle oracle, Quorum quorum, Clock clock) {
        super(oracle, quorum);
        this.clock = clock;
    }

    @Override
    public void changed(long session, List<Change> changes) {
        for (Change change : changes) {
            if (change.kind() == Kind.SET && change.item(tree).isPresent()) {
                int item = change.item(tree).orElseThrow();
                Recorded before = Recorded.of(change.before().orElseThrow());
                Recorded after = Recorded.of(change.after().orElseThrow());
                if (after.isScheduledClaim() && !before.is("RUNNING")) {
                    claims(item, before, after);
                } else if (before.is("RUNNING") && after.isSameExecution(before) && cancels(before, after)) {
                    isCancelled(item, before);
                }
            }
        }
    }

    private void claims(int item, Recorded before, Recorded after) {
        Instant claimed = Instant.parse(Objects.requireNonNull(after.startedAt()));
        boolean skipped = overlap() == Overlap.SKIP && before.wasBusyAt(dueAt(item, after.scheduledAt()), claimed);
        require(
                !skipped,
                "overlap, skip: item %s runs what came due while it was executing: from %s to %s",
                item,
                before,
                after);
    }

    private Instant dueAt(int item, Instant firing) {
        return Jitter.of(definition()).dueAt(item, firing);
    }

    /** Of one execution: an unclaim may bring back what a firing cancelled before. */
    private static boolean cancels(Recorded before, Recorded after) {
        return isByFiring(after) && !isByFiring(before);
    }

    /** Whether the next firing has cancelled it. */
    static boolean isByFiring(Recorded record) {
        return OverlapCancellations.ACTOR.equals(record.canceller());
    }

    private void isCancelled(int item, Recorded before) {
        boolean due = before.scheduledAt() != null
                && plan().filter(plan -> runsEach() ? hasComeDue(item, before, plan) : isDue(before, plan))
                        .isPresent();
        require(
                overlap() == Overlap.CANCEL_RUNNING && before.runId() == null && due,
                "overlap, cancel: item %s is cancelled for no firing: %s",
                item,
                before);
    }

    private boolean isDue(Recorded running, InForce plan) {
        return plan.latestDue(clock.instant().plus(CLOCK_TOLERANCE))
                .filter(running.scheduledAt()::isBefore)
                .isPresent();
    }

    /** Whether the next firing that the item is owed has come due since this execution was claimed. */
    private boolean hasComeDue(int item, Recorded running, InForce plan) {
        Instant claimed = Instant.parse(Objects.requireNonNull(running.startedAt()));
        return plan.nextOwed(running.scheduledAt())
                .map(firing -> dueAt(item, firing))
                .filter(claimed::isBefore)
                .filter(due -> !due.isAfter(clock.instant().plus(CLOCK_TOLERANCE)))
                .isPresent();
    }

    private boolean runsEach() {
        return definition().catchUp() == CatchUp.EACH;
    }

    private Overlap overlap() {
        return InForce.isDefined(quorum.tree(), tree) ? definition().overlap() : Overlap.WAIT;
    }

    // ------------------------------------------------------------------ in time

    /** From now on the next firing ends what runs. */
    void count(Duration longest) {
        patience = Optional.of(longest);
    }

    void ended(Execution execution, Instant now) {
        if (patience.isEmpty()
                || overlap() != Overlap.CANCEL_RUNNING
                || execution.token() == 0
                || execution.stubborn()
                || !execution.cause().equals(String.valueOf(execution.scheduledAt()))) {
            return;
        }
        Instant scheduled = execution.scheduledAt();
        Instant from = execution.began().isAfter(scheduled) ? execution.began() : scheduled;
        plan().flatMap(plan -> plan.schedule().nextAfter(runsEach() ? scheduled : from))
                .filter(from::isBefore)
                .filter(next -> next.plus(patience.orElseThrow()).isBefore(now))
                .ifPresent(next -> late.add("overlap, cancel: item %d runs on until %s, though it is due at %s"
                        .formatted(execution.item(), now, next)));
    }

    /** The first that ran on. */
    Optional<String> judge() {
        patience = Optional.empty();
        return late.stream().findFirst();
    }
}
