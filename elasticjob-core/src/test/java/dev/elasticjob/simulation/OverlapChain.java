package dev.elasticjob.simulation;

import dev.elasticjob.admin.command.OverlapCancellations;
import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.Jitter;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.registry.JobTree;
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
 * CANCEL_RUNNING} it cancels what runs, once it is due, and nothing else is cancelled for it.
 */
final class OverlapChain implements Quorum.Witness {
    private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);

    private final Oracle oracle;
    private final Quorum quorum;
    private final Clock clock;
    private final JobTree tree;
    private final List<String> late = new ArrayList<>();
    private Optional<Duration> patience = Optional.empty();

    OverlapChain(Oracle oracle, Quorum quorum, Clock clock) {
        this.oracle = oracle;
        this.quorum = quorum;
        this.clock = clock;
        this.tree = oracle.tree();
    }

    @Override
    public void changed(long session, List<Change> changes) {
        for (Change change : changes) {
            if (change.kind() == Kind.SET && change.item(tree).isPresent()) {
                int item = change.item(tree).orElseThrow();
                Recorded before = Recorded.of(change.before().orElseThrow());
                Recorded after = Recorded.of(change.after().orElseThrow());
                if (after.is("RUNNING") && !before.is("RUNNING") && after.attempt() == 1 && after.runId() == null) {
                    claims(item, before, after);
                } else if (isByFiring(after) && !isByFiring(before) && before.is("RUNNING")) {
                    isCancelled(item, before);
                }
            }
        }
    }

    private void claims(int item, Recorded before, Recorded after) {
        Instant claimed = Instant.parse(Objects.requireNonNull(after.startedAt()));
        Instant due = Jitter.of(InForce.definition(quorum.tree(), tree)).dueAt(item, after.scheduledAt());
        if (claimed.isBefore(due.minusMillis(1))) {
            oracle.violated("jitter: item %d is claimed before %s: %s".formatted(item, due, after));
        }
        leavesNoneOut(item, before, after, claimed);
        boolean skipped = before.wasBusyAt(due, claimed) && overlap() == Overlap.SKIP;
        if (skipped) {
            oracle.violated("overlap, skip: item %d runs what came due while it was executing: from %s to %s"
                    .formatted(item, before, after));
        }
    }

    /** Those that an item makes up for run in their order. */
    private void leavesNoneOut(int item, Recorded before, Recorded after, Instant claimed) {
        JobDefinition job = InForce.definition(quorum.tree(), tree);
        Optional<InForce> plan = InForce.at(quorum.tree(), tree);
        if (job.catchUp() != CatchUp.EACH || plan.isEmpty() || before.scheduledAt() == null) {
            return;
        }
        Instant firing = after.scheduledAt();
        Instant latest = plan.get().latestDue(claimed).orElse(firing);
        Optional<Instant> passed = plan.get().nextOwed(before.scheduledAt());
        while (passed.isPresent() && passed.get().isBefore(firing)) {
            boolean beyond = plan.get().countOwed(passed.get().minusNanos(1), latest.plusNanos(1)) > job.catchUpLimit();
            if (!beyond && !oracle.firings().isOver(item, passed.get())) {
                oracle.violated("catch up, each: item %d leaves out %s: from %s to %s"
                        .formatted(item, passed.get(), before, after));
            }
            passed = plan.get().nextOwed(passed.get());
        }
    }

    /** Whether the next firing has cancelled it. */
    static boolean isByFiring(Recorded record) {
        return OverlapCancellations.ACTOR.equals(record.canceller());
    }

    private void isCancelled(int item, Recorded before) {
        Optional<InForce> plan = InForce.at(quorum.tree(), tree);
        boolean due = plan.flatMap(inForce -> inForce.latestDue(clock.instant().plus(CLOCK_TOLERANCE)))
                .filter(firing -> before.scheduledAt() != null && firing.isAfter(before.scheduledAt()))
                .isPresent();
        if (overlap() != Overlap.CANCEL_RUNNING || before.runId() != null || !due) {
            oracle.violated("overlap, cancel: item %d is cancelled for no firing: %s".formatted(item, before));
        }
    }

    private Overlap overlap() {
        return InForce.isDefined(quorum.tree(), tree)
                ? Optional.of(InForce.definition(quorum.tree(), tree))
                        .map(JobDefinition::overlap)
                        .orElseThrow()
                : Overlap.WAIT;
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
        Instant from = execution.began().isAfter(execution.scheduledAt()) ? execution.began() : execution.scheduledAt();
        InForce.at(quorum.tree(), tree)
                .flatMap(plan -> plan.schedule().nextAfter(from))
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
