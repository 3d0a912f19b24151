package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.leader.DisplayedOwners.Comparison;
import dev.elasticjob.coordination.leader.Resharding.Display;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.FiringPlan;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader.LeaderView;
import dev.elasticjob.definition.JobDefinition;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Plans assignments. Pure: values in, a value out. */
final class ShardingPlanner {
    private ShardingPlanner() {}

    /**
     * Whether there is no assignment in force, or it was made from another basis, or operators have paused or resumed
     * since.
     */
    static boolean isOutOfDate(Optional<Assignment> assignment, PlanBasis basis) {
        return assignment.isEmpty()
                || !assignment.get().plannedFrom().equals(basis.digest())
                || PausePlanner.isBehind(assignment.get(), basis);
    }

    /**
     * The step from the assignment in force to the given owners.
     *
     * @param owners the owners of items 0 … total - 1; empty if no instance may own items
     * @param shown the changes of the displayed owners
     * @param seen when the members were read: other software that was there until then may have run what was due
     */
    static Resharding plan(
            LeaderView view,
            PlanBasis basis,
            NavigableMap<Integer, String> owners,
            Comparison shown,
            Instant seen,
            Instant registryNow) {
        Optional<Assignment> before = view.job().assignment();
        Assignment inForce = before.orElseGet(() -> first(basis.definition(), view));
        PausePlanner pauses = PausePlanner.of(inForce, view.job().planned(), basis, registryNow);
        // If a pause ends and the schedule has changed too, the firings due in between are owed under the former
        // schedule.
        Assignment base = carriedOver(pauses.applied(inForce), basis.definition(), view, pauses.since());
        if (shown.byOthers() || (base.isHeld() && basis.members().foreign().isEmpty())) {
            base = base.passedOver(seen);
        }
        Assignment next = stillOwed(base, view, basis.definition())
                .withFirings(firings(base, before.isPresent(), basis, registryNow))
                .withOwners(owners, basis.digest());
        return new Resharding(next, newItems(view, next, registryNow), displays(view, before, owners, shown));
    }

    /** At the first start, firings before our own node are not owed, so adopting a tree repeats nothing. */
    private static Assignment first(JobDefinition definition, LeaderView view) {
        Instant since = view.job().definition().extension().orElseThrow().created();
        return new Assignment(
                definition.schedule(),
                since,
                List.of(),
                null,
                definition.monitorExecution(),
                null,
                "",
                new TreeMap<>());
    }

    /**
     * A follower counts from the plan that names it first. Where there are listeners, firings are opened from the first
     * moment for which no instance may have claimed them unopened: its clock may have been ahead.
     */
    private static @Nullable FiringPlan firings(
            Assignment base, boolean hadPlan, PlanBasis basis, Instant registryNow) {
        boolean listener = basis.definition().clusterListener();
        if (!listener && basis.followers().isEmpty()) {
            return null;
        }
        Instant listening = hadPlan ? registryNow.plus(Assignment.CLOCK_TOLERANCE) : base.since();
        FiringPlan known = base.firings() == null
                ? new FiringPlan(listener, listener ? listening : registryNow, new TreeMap<>())
                : base.firings();
        NavigableMap<String, Instant> followers = new TreeMap<>();
        basis.followers().forEach(name -> followers.put(name, known.followers().getOrDefault(name, registryNow)));
        return new FiringPlan(listener, known.from(), followers);
    }

    /** Adapts the schedule in force to the configuration. Every leader computes the same time for the change. */
    private static Assignment carriedOver(
            Assignment inForce, JobDefinition definition, LeaderView view, Optional<Instant> pause) {
        boolean same = inForce.schedule().equals(definition.schedule())
                && inForce.monitored() == definition.monitorExecution();
        if (same) {
            return inForce;
        }
        return inForce.withSchedule(
                definition.schedule(),
                definition.monitorExecution(),
                view.job().definition().modified(),
                pause);
    }

    /**
     * Drops former schedules whose last firing no item owes. Running items count, because their claim may be undone.
     */
    private static Assignment stillOwed(Assignment base, LeaderView view, JobDefinition definition) {
        Collection<ItemView> items =
                view.items().headMap(definition.shardingTotalCount()).values();
        return base.withFormer(base.former().stream()
                .filter(schedule -> schedule.latest().stream()
                        .anyMatch(latest -> items.stream().anyMatch(item -> mayOwe(item, latest))))
                .toList());
    }

    private static boolean mayOwe(ItemView item, Instant firing) {
        Instant seen = item.current().scheduledAt();
        return item.current().state() == ItemState.RUNNING || seen == null || firing.isAfter(seen);
    }

    /** A new item starts after the latest firing that the job has seen, so that it repeats nothing. */
    private static NavigableMap<Integer, ItemRecord> newItems(LeaderView view, Assignment next, Instant registryNow) {
        Instant start = next.since();
        start = laterButSeen(start, next.floor(), registryNow);
        for (ItemView item : view.items().values()) {
            start = laterButSeen(start, item.current().scheduledAt(), registryNow);
        }
        NavigableMap<Integer, ItemRecord> created = new TreeMap<>();
        for (int item : next.owners().keySet()) {
            if (!view.items().containsKey(item)) {
                created.put(item, ItemRecord.startingAt(start));
            }
        }
        return created;
    }

    /** Ignores a time that is too far ahead to be claimed: it comes from a wrong clock. */
    private static Instant laterButSeen(Instant start, @Nullable Instant seen, Instant registryNow) {
        return seen != null && seen.isAfter(start) && Assignment.mayBeClaimed(seen, registryNow) ? seen : start;
    }

    private static @Nullable String shownOwner(int item, Assignment before, Comparison differing) {
        String shown = differing.differing().get(item);
        return shown == null ? before.owners().get(item) : shown;
    }

    private static NavigableMap<Integer, Display> displays(
            LeaderView view, Optional<Assignment> before, NavigableMap<Integer, String> owners, Comparison differing) {
        NavigableMap<Integer, Display> displays = new TreeMap<>();
        owners.forEach((item, owner) -> {
            ItemView shown = view.items().get(item);
            if (shown == null || !shown.children().owner()) {
                displays.put(item, new Display.Create(owner));
            } else if (before.isEmpty() || !owner.equals(shownOwner(item, before.get(), differing))) {
                displays.put(item, new Display.Change(owner));
            }
        });
        view.items().forEach((item, shown) -> {
            if (shown.children().owner() && !owners.containsKey(item)) {
                displays.put(item, new Display.Remove());
            }
        });
        return displays;
    }
}
