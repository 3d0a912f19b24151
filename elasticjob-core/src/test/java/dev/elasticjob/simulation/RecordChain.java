package dev.elasticjob.simulation;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.Replica.Change;
import dev.elasticjob.simulation.Replica.Kind;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Follows each item's record from transaction to transaction: every step must be one that the protocol knows. */
final class RecordChain extends Chain {
    private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);
    /** After the second crash of an execution; each further one doubles it. */
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);

    private final Clock clock;
    private final LossReporter losses;
    /** What stood before each claim of an item that is not over: an unclaim may come late, behind another's. */
    private final Map<Integer, Map<Claim, Recorded>> beforeClaims = new HashMap<>();

    private final Memo<Optional<InForce>> plans = new Memo<>();
    /** In force at the step that is looked at. */
    private Optional<InForce> plan = Optional.empty();

    private record Claim(
            @Nullable Instant scheduledAt,
            @Nullable String runId,
            int attempt,
            @Nullable String instance) {
        static Claim of(Recorded running) {
            return new Claim(running.scheduledAt(), running.runId(), running.attempt(), running.instance());
        }
    }

    RecordChain(Oracle oracle, Quorum quorum, Clock clock, LossReporter losses) {
        super(oracle, quorum);
        this.clock = clock;
        this.losses = losses;
    }

    @Override
    public void changed(long session, List<Change> changes) {
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            List<Change> later = changes.subList(i, changes.size());
            change.item(tree).ifPresent(item -> {
                plan = planBefore(later);
                if (change.kind() == Kind.SET) {
                    Recorded before = Recorded.of(change.before().orElseThrow());
                    restsFirst(item, change, before);
                    step(session, item, before, Recorded.of(change.after().orElseThrow()), changes);
                } else if (change.kind() == Kind.DELETED) {
                    leaves(item, Recorded.of(change.before().orElseThrow()));
                }
            });
        }
    }

    /** Transactions share requests: what comes behind in the same one is not in force yet. */
    private Optional<InForce> planBefore(List<Change> later) {
        Optional<RegistryNode> sharding = later.stream()
                .filter(change -> change.path().equals(tree.sharding()))
                .findFirst()
                .map(Change::before)
                .orElseGet(() -> node(tree.sharding()));
        return plans.of(List.of(sharding), () -> InForce.of(sharding));
    }

    /** What has crashed again and again has its turn later each time, until it has used up its failovers. */
    private void restsFirst(int item, Change change, Recorded before) {
        Recorded after = Recorded.of(change.after().orElseThrow());
        if (!before.is("INTERRUPTED") || after.attempt() <= before.attempt()) {
            return;
        }
        int crashes = before.crashes();
        require(
                crashes < definition().maxFailovers(),
                item,
                "it is taken though it has used up its failovers",
                before,
                after);
        Instant rested = change.before().orElseThrow().modified().plus(pauseAfter(crashes));
        require(
                quorum.isPardoned() || !clock.instant().isBefore(rested),
                item,
                "it is taken before its pause of %s is over".formatted(pauseAfter(crashes)),
                before,
                after);
    }

    private static Duration pauseAfter(int crashes) {
        return crashes < 2 ? Duration.ZERO : FIRST_PAUSE.multipliedBy(1L << (crashes - 2));
    }

    private void step(long session, int item, Recorded before, Recorded after, List<Change> changes) {
        losses.overwrites(session, item);
        if (after.is("RUNNING") && before.is("RUNNING")) {
            boolean cancellation =
                    after.isCancelled() && !before.isCancelled() && after.equals(before.cancelledBy(after.canceller()));
            require(
                    cancellation,
                    item,
                    "P1, one at a time: a running record is claimed or skipped over",
                    before,
                    after);
        } else if (after.is("RUNNING")) {
            starts(session, item, before, after, changes);
        } else if (before.is("RUNNING")) {
            ends(item, before, after, changes);
        } else if (before.is("INTERRUPTED") && before.isSameExecution(after)) {
            settles(session, item, before, after);
        } else if (before.is("INTERRUPTED") && isRestored(item, before, after)) {
            unclaims(item, before, after, changes);
        } else if (after.isRefused() && !before.isSameRunAs(after)) {
            isRefused(session, item, before, after);
        } else {
            skips(item, before, after);
            boolean passes = after.scheduledAt() != null && !after.scheduledAt().equals(before.scheduledAt());
            if (passes && (after.hasLost(after.scheduledAt()) || after.hasSkippedBusy(after.scheduledAt()))) {
                losses.passes(session, item, before, after, plan.orElseThrow(), definition());
            }
            require(
                    !passes || !after.hasRefused(after.scheduledAt()),
                    item,
                    "P3, no firing lost: a refused one is shown as another execution",
                    before,
                    after);
        }
    }

    /** It fails without having been started: only for a firing that is open, and whose listeners have failed before it. */
    private void isRefused(long session, int item, Recorded before, Recorded after) {
        require(before.isOver(), item, "P3, no firing lost: an execution is refused over", before, after);
        require(
                oracle.firings().isRefused(item, after),
                item,
                "P6, before: it is refused, though nothing has failed before it",
                before,
                after);
        if (after.runId() == null) {
            require(
                    before.scheduledAt() == null || after.scheduledAt().isAfter(before.scheduledAt()),
                    item,
                    "P2, once per firing: it is refused a firing that it has seen",
                    before,
                    after);
            require(
                    after.hasRefused(after.scheduledAt()),
                    item,
                    "P7, after: a refusal doesn't say how the firing has ended",
                    before,
                    after);
            losses.closesGap(session, item, before, after, plan.orElseThrow(), definition());
        }
    }

    // ------------------------------------------------------------------ starts

    private void starts(long session, int item, Recorded before, Recorded after, List<Change> changes) {
        Map<Claim, Recorded> open = beforeClaims.computeIfAbsent(item, any -> new HashMap<>());
        if (before.isOver()) {
            open.clear();
        }
        open.put(Claim.of(after), before);
        boolean locks = changes.stream()
                .anyMatch(change -> change.path().equals(tree.running(item)) && change.kind() == Kind.CREATED);
        require(locks, item, "P1, one at a time: it is started without a new lock", before, after);
        if (after.repeats() > 1 && after.attempt() == after.repeats()) {
            require(
                    before.is("FAILED")
                            && after.attempt() == before.attempt() + 1
                            && Objects.equals(after.scheduledAt(), before.scheduledAt()),
                    item,
                    "it runs again, but its record doesn't show that it has failed",
                    before,
                    after);
            return;
        }
        if (after.attempt() > 1) {
            require(
                    before.is("INTERRUPTED")
                            && after.attempt() == before.attempt() + 1
                            && after.cause().equals(before.cause()),
                    item,
                    "P2, once per firing: it is taken without having been interrupted",
                    before,
                    after);
            return;
        }
        if (after.runId() != null) {
            losses.passesOver(session, item, before);
            return;
        }
        require(
                before.scheduledAt() == null || after.scheduledAt().isAfter(before.scheduledAt()),
                item,
                "P2, once per firing: it is claimed for a firing that it has seen",
                before,
                after);
        require(
                !after.scheduledAt().isAfter(clock.instant().plus(CLOCK_TOLERANCE)),
                item,
                "a firing far ahead of the registry's time is claimed",
                before,
                after);
        InForce inForce = plan.orElseThrow();
        require(
                after.scheduledAt().isAfter(inForce.since())
                        || inForce.owes(after.scheduledAt())
                        || isStillOpen(after, inForce),
                item,
                "what is not owed is not run: it is claimed for a firing from before the schedule was in force",
                before,
                after);
        require(
                inForce.fires(after.scheduledAt()) || inForce.owes(after.scheduledAt()) || isStillOpen(after, inForce),
                item,
                "what is not owed is not run: it is claimed for a moment at which the schedule has no firing",
                before,
                after);
        boolean owed = before.is("INTERRUPTED") && definition().failover();
        require(!owed, item, "P3, no firing lost: an interrupted one is passed over with failover on", before, after);
        losses.closesGap(session, item, before, after, inForce, definition());
    }

    /**
     * Opened under a plan that was replaced, and whose successor may have no such firing, or count from an earlier moment: what
     * one item has begun, the others run too. FiringChain sees to it that it is still open.
     */
    private static boolean isStillOpen(Recorded after, InForce plan) {
        return after.opened() && (after.scheduledAt().isAfter(plan.since()) || plan.spans(after.scheduledAt()));
    }

    private void leaves(int item, Recorded last) {
        beforeClaims.remove(item);
        if (!last.isOver()) {
            oracle.violated("P3, no firing lost: item %d is removed with an execution that nobody has told as lost: %s"
                    .formatted(item, last));
        }
    }

    // ------------------------------------------------------------------ ends

    private void ends(int item, Recorded before, Recorded after, List<Change> changes) {
        if (!before.isSameExecution(after)) {
            unclaims(item, before, after, changes);
        } else if (after.is("INTERRUPTED")) {
            require(!isLocked(item), item, "P1, one at a time: a living execution is declared dead", before, after);
            boolean interrupted = after.crashes() > before.crashes() || oracle.hasReturned(item, before);
            require(interrupted, item, "an execution is released that has not returned", before, after);
        } else {
            completes(item, before, after);
        }
    }

    private void unclaims(int item, Recorded before, Recorded after, List<Change> changes) {
        require(
                isRestored(item, before, after),
                item,
                "P2, once per firing: the record of an execution is overwritten",
                before,
                after);
        require(
                !oracle.hasBegun(item, before),
                item,
                "P2, once per firing: it is unclaimed, but has begun",
                before,
                after);
        boolean waits = before.runId() == null
                || before.attempt() > 1
                || changes.stream().anyMatch(change -> change.path().equals(tree.trigger(item)));
        require(waits, item, "P3, no firing lost: a manual run is unclaimed and forgotten", before, after);
    }

    /** As it was before the claim. */
    private boolean isRestored(int item, Recorded claimed, Recorded after) {
        Recorded restored = beforeClaims.getOrDefault(item, Map.of()).get(Claim.of(claimed));
        return restored != null
                && (restored.isSameExecution(after) && restored.is(after.state())
                        || hasPassed(restored, claimed, after));
    }

    /** The same, but for open firings that the claim has passed: others may have relied on that. */
    private boolean hasPassed(Recorded restored, Recorded claimed, Recorded after) {
        Instant passed = after.scheduledAt();
        return passed != null
                && (after.is(restored.state()) || (after.is("FAILED") && restored.is("INTERRUPTED")))
                && oracle.firings().wasOpened(passed)
                && after.ends().stream().anyMatch(end -> end.startsWith(passed.toString()))
                && (restored.scheduledAt() == null || passed.isAfter(restored.scheduledAt()))
                && claimed.scheduledAt() != null
                && passed.isBefore(claimed.scheduledAt());
    }

    /** What the record goes back to if its claim is undone; itself where it shows no claim that may be. */
    Recorded ifUnclaimed(int item, Recorded recorded) {
        boolean open = recorded.is("RUNNING") && !oracle.hasBegun(item, recorded);
        return open ? beforeClaims.getOrDefault(item, Map.of()).getOrDefault(Claim.of(recorded), recorded) : recorded;
    }

    private void completes(int item, Recorded before, Recorded after) {
        boolean ended = oracle.hasReturned(item, before) && before.instance().equals(after.instance());
        boolean cutOff = before.isCancelled() && (!oracle.hasBegun(item, before) || after.crashes() > before.crashes());
        require(
                ended || cutOff,
                item,
                "P3, no firing lost: it is recorded as ended, but has not returned",
                before,
                after);
        require(!isLocked(item), item, "P4, progress: an item that has ended stays locked", before, after);
    }

    private boolean isLocked(int item) {
        return node(tree.running(item)).isPresent();
    }

    /** A late end, or a loss that is recorded. */
    private void settles(long session, int item, Recorded before, Recorded after) {
        if (after.is("INTERRUPTED")) {
            return;
        }
        if (after.isCancelled()) {
            return;
        }
        boolean late = oracle.hasReturned(item, before);
        JobDefinition definition = definition();
        boolean given = after.is("FAILED")
                && (!definition.failover()
                        || before.crashes() >= definition.maxFailovers()
                        || item >= definition.shardingTotalCount()
                        || isAwaitedWhileDisabled(item, before));
        require(late || given, item, "P3, no firing lost: an interrupted one is given up", before, after);
        boolean dropped = Objects.equals(before.finishedAt(), after.finishedAt());
        if (given && dropped) {
            losses.givenUp(session, item, before);
        }
    }

    /** Others wait for the end of its firing. */
    private boolean isAwaitedWhileDisabled(int item, Recorded interrupted) {
        return interrupted.opened()
                && (node(tree.disabled(item)).isPresent() || !oracle.firings().mayBegin(item, interrupted));
    }

    private void skips(int item, Recorded before, Recorded after) {
        boolean forward = before.state().equals(after.state())
                && (before.scheduledAt() == null
                        || (after.scheduledAt() != null && !after.scheduledAt().isBefore(before.scheduledAt())));
        // A new item of a plan that was made while the registry's clock was ahead.
        boolean setBack = quorum.isPardoned()
                && before.state().equals(after.state())
                && before.scheduledAt() != null
                && before.scheduledAt().isAfter(clock.instant().plus(CLOCK_TOLERANCE));
        require(forward || setBack, item, "P2, once per firing: its record goes back", before, after);
        boolean owed = before.is("INTERRUPTED") && definition().failover();
        require(!owed, item, "P3, no firing lost: an interrupted one is skipped over", before, after);
    }

    private void require(boolean holds, int item, String promise, Recorded before, Recorded after) {
        if (!holds) {
            oracle.violated("%s: item %d goes from %s to %s".formatted(promise, item, before, after));
        }
    }
}
