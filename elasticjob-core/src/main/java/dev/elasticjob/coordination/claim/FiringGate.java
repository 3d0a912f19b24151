package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.FiringPlan;
import dev.elasticjob.coordination.state.ItemEnds;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.OpenFiring.Phase;
import dev.elasticjob.coordination.state.OpenFirings;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.job.cluster.FiringOutcomes.End;
import dev.elasticjob.job.cluster.FiringOutcomes.Outcome;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the firings that are open in the whole cluster mean for an item that is due. In a job whose firings are not opened,
 * nothing. Pure.
 *
 * @param plan why firings are opened; null if they are not
 * @param firings those that are open
 * @param registryNow the registry's time. What is beyond it by more than is tolerated was opened while the registry's
 *     clock was wrong, and doesn't count until its time has come
 */
record FiringGate(Assignment assignment, @Nullable FiringPlan plan, OpenFirings firings, Instant registryNow) {
    static FiringGate of(Assignment assignment, OpenFirings firings, Instant registryNow) {
        return new FiringGate(
                assignment, assignment.opensFirings() ? assignment.firings() : null, firings, registryNow);
    }

    /** What an owner may do with an item that is due. */
    enum Admission {
        /** Claim it. */
        FREE,
        /** Claim it, and open the firing with that. */
        OPENING,
        /** Have the listeners called before the first item. */
        HOOK,
        /** Wait for that. */
        WAIT,
        /** Let the firing pass: no item of it may begin. */
        REFUSED,
        /** Let it be: the firing has ended, or the item doesn't belong to it. */
        OVER
    }

    boolean applies() {
        return plan != null;
    }

    /**
     * The firing that the item is due for: an open one is, whatever the schedule says by now.
     *
     * @param due whether the item's jitter lets it start an open one
     */
    Optional<Instant> firingOf(ItemView item, Optional<Instant> latest, Predicate<Instant> due) {
        if (plan == null) {
            return latest;
        }
        Instant seen = item.current().scheduledAt();
        Optional<Instant> open = firings.scheduled(item.item())
                .filter(firing -> firing.phase() == Phase.ITEMS)
                .map(OpenFiring::scheduledAt)
                .filter(at ->
                        (seen == null || at.isAfter(seen)) && assignment.owes(at) && isCredible(at) && due.test(at))
                .findFirst();
        if (plan.listener() && open.isPresent()) {
            // What the listeners were called for goes first: if they take longer than an interval, nothing ran
            // otherwise.
            return open;
        }
        return Stream.concat(open.stream(), latest.stream()).max(Comparator.naturalOrder());
    }

    /** The oldest firing from that moment on that is open for the item, and that it hasn't seen; empty if none is. */
    Optional<Instant> oldestOpen(int item, Instant from, Predicate<Instant> due) {
        return plan == null
                ? Optional.empty()
                : firings.scheduled(item)
                        .filter(firing -> firing.phase() == Phase.ITEMS)
                        .map(OpenFiring::scheduledAt)
                        .filter(at -> !at.isBefore(from) && assignment.owes(at) && isCredible(at) && due.test(at))
                        .min(Comparator.naturalOrder());
    }

    Admission admit(int item, Instant firing) {
        if (plan == null) {
            return Admission.FREE;
        }
        Optional<OpenFiring> open = firings.at(firing);
        if (open.isPresent()) {
            return open.get().items().contains(item) ? admit(open.get()) : Admission.OVER;
        }
        if (!firing.isAfter(plan.from())) {
            return Admission.FREE;
        }
        if (!mayOpen(firing)) {
            return Admission.OVER;
        }
        return plan.listener() ? hook() : Admission.OPENING;
    }

    private boolean mayOpen(Instant firing) {
        return firings.mayOpen(firing, this::isCredible);
    }

    private boolean isCredible(Instant firing) {
        return Assignment.mayBeClaimed(firing, registryNow);
    }

    private static Admission admit(OpenFiring open) {
        return switch (open.phase()) {
            case ASKING, BEFORE -> Admission.WAIT;
            case ITEMS -> open.refused() == null ? Admission.FREE : Admission.REFUSED;
            case AFTER -> Admission.OVER;
        };
    }

    /** One at a time: while the listeners are called for a firing, the next one waits. */
    private Admission hook() {
        return firings.open().stream()
                        .anyMatch(firing -> firing.scheduledAt() != null && firing.phase() == Phase.BEFORE)
                ? Admission.WAIT
                : Admission.HOOK;
    }

    /** The same for a manual run, which may answer several requests. One that nobody has opened needs nothing. */
    Admission admit(ManualRun run) {
        if (!refused(run).isEmpty()) {
            return Admission.REFUSED;
        }
        boolean waits = open(run).stream().anyMatch(firing -> firing.phase() == Phase.BEFORE || firing.isAsking());
        return waits ? Admission.WAIT : Admission.FREE;
    }

    /** The ids of the requests that no item may begin. */
    List<String> refused(ManualRun run) {
        return open(run).stream()
                .filter(firing -> firing.refused() != null)
                .map(firing -> Objects.requireNonNull(firing.runId()))
                .toList();
    }

    /** Of a firing that no item may begin: what shows why. */
    OpenFiring refusal(Instant firing) {
        return firings.at(firing).orElseThrow();
    }

    /** The same of a run that no item may begin. */
    OpenFiring refusal(ManualRun run) {
        return open(run).stream()
                .filter(firing -> firing.refused() != null)
                .findFirst()
                .orElseThrow();
    }

    private List<OpenFiring> open(ManualRun run) {
        return run.runIds().stream()
                .flatMap(runId -> firings.find(OpenFiring.idOf(runId)).stream())
                .toList();
    }

    /** Whether an interrupted execution belongs to a firing that has ended without it, under this plan or an earlier one. */
    boolean hasEnded(ItemRecord interrupted) {
        if (!assignment.knowsFirings() || !interrupted.ends().opened()) {
            return false;
        }
        ManualRun run = interrupted.run();
        Stream<OpenFiring> open = run == null
                ? Optional.ofNullable(interrupted.scheduledAt()).flatMap(firings::at).stream()
                : open(run).stream();
        return open.noneMatch(OpenFiring::letsBegin);
    }

    /** From when on a firing that is open has been waiting for its items; else its own moment. */
    Instant startOf(Instant firing) {
        return firings.at(firing)
                .map(OpenFiring::since)
                .filter(firing::isBefore)
                .orElse(firing);
    }

    // ------------------------------------------------------------------ ends

    /** How the item has ended open firings once it is claimed for this one. */
    ItemEnds endsWith(ItemView item, Instant claimed, boolean opening, Function<Instant, End> passed) {
        return plan == null
                ? ItemEnds.NONE
                : endsBefore(item, claimed, passed)
                        .opened(opening || firings.at(claimed).isPresent());
    }

    /** The same for a claim of a manual run, which hides the end of the firing before. */
    ItemEnds endsWith(ItemView item, ManualRun claimed) {
        return plan == null
                ? ItemEnds.NONE
                : endsBefore(item, null, firing -> End.FOLDED)
                        .opened(!open(claimed).isEmpty());
    }

    /** The same once it lets this firing pass. */
    ItemEnds endsPassing(ItemView item, Instant passed, Outcome end, Function<Instant, End> before) {
        return plan == null
                ? item.current().ends()
                : endsBefore(item, passed, before).with(passed, end);
    }

    private ItemEnds endsBefore(ItemView item, @Nullable Instant next, Function<Instant, End> passed) {
        return item.current().endsBefore(firings.moments(item.item()), this::mayOpen, next, passed);
    }

    /** What an unclaim leaves: ends never go back, because others may have relied on them. */
    ItemRecord undone(ItemView item, Instant claimed, Function<Instant, End> passed) {
        ItemRecord current = item.current();
        if (plan == null) {
            return current;
        }
        Instant seen = current.scheduledAt();
        return firings.moments(item.item()).headSet(claimed).stream()
                .filter(at -> seen == null || at.isAfter(seen))
                .max(Comparator.naturalOrder())
                .map(last -> current.havingPassed(last, endsBefore(item, claimed, passed)))
                .orElse(current);
    }
}
