package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.leader.DisplayedOwners.Comparison;
import dev.elasticjob.coordination.leader.Resharding.Display;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader.LeaderView;
import dev.elasticjob.coordination.view.Members;
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
     * Whether the assignment in force was made from something else than the basis, or there is none, or nobody owned
     * anything and now that is what operators want.
     */
    static boolean isOutOfDate(Optional<Assignment> assignment, PlanBasis basis) {
        return assignment.isEmpty()
                || !assignment.get().plannedFrom().equals(basis.digest())
                || (assignment.get().owners().isEmpty()
                        && assignment.get().pausedFrom() == null
                        && isPaused(assignment.get(), Instant.MAX, basis));
    }

    /**
     * The step from what is in force to the given owners.
     *
     * @param owners of the items 0 … total - 1; nothing at all when no instance may own items
     * @param shown what differs from the one in force in what operators' tools are shown
     * @param registryNow the registry's time
     */
    static Resharding plan(
            LeaderView view,
            PlanBasis basis,
            NavigableMap<Integer, String> owners,
            Comparison shown,
            Instant registryNow) {
        Optional<Assignment> before = view.job().assignment();
        // If a pause is over, and the schedule has changed too, what was due in between is owed under the former one.
        Assignment base = before.map(inForce -> resumed(inForce, owners, basis.members(), registryNow))
                .map(inForce -> carriedOver(inForce, basis.definition(), view))
                .orElseGet(() -> first(basis.definition(), view));
        if (shown.byOthers() || (base.isHeld() && basis.members().foreign().isEmpty())) {
            base = base.passedOver(registryNow);
        }
        base = owners.isEmpty() ? paused(base, view.job().planned(), basis, registryNow) : base;
        Assignment next = stillOwed(base, view, basis.definition()).withOwners(owners, basis.digest());
        return new Resharding(next, newItems(view, next, registryNow), displays(view, before, owners, shown));
    }

    /** At the very first start nothing that came before our own node is owed: adopting a tree repeats nothing. */
    private static Assignment first(JobDefinition definition, LeaderView view) {
        Instant since = view.job().definition().extension().orElseThrow().created();
        return new Assignment(
                definition.cron(),
                definition.timeZone(),
                since,
                List.of(),
                null,
                definition.monitorExecution(),
                null,
                "",
                new TreeMap<>());
    }

    /** The schedule in force follows the configuration; any leader computes the same moment for it. */
    private static Assignment carriedOver(Assignment inForce, JobDefinition definition, LeaderView view) {
        boolean same = inForce.cron().equals(definition.cron())
                && inForce.timeZone().equals(definition.timeZone())
                && inForce.monitored() == definition.monitorExecution();
        if (same) {
            return inForce;
        }
        return inForce.withSchedule(
                definition.cron(),
                definition.timeZone(),
                definition.monitorExecution(),
                view.job().definition().modified());
    }

    /** Forgets the former schedules whose last firing no item owes. A running item counts: its claim may be undone. */
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

    /**
     * Begins a pause if operators want that no instance owns items: what becomes due from then on is not owed later. The
     * server may have been disabled after the registry's time as we know it, which a late answer leaves behind.
     */
    private static Assignment paused(Assignment base, Instant planned, PlanBasis basis, Instant registryNow) {
        if (base.pausedFrom() != null || !isPaused(base, planned, basis)) {
            return base;
        }
        Instant disabled = basis.members().disabledFrom(registryNow);
        return base.paused(Assignment.mayBeClaimed(disabled, registryNow) ? disabled : registryNow);
    }

    /**
     * Whether operators want nobody to own anything, and it isn't that those who might are dead, have left, or are leaving.
     * They want it when they have disabled all servers, or those of all instances that the assignment in force was planned
     * for, which still live: servers of instances that are long gone may still be listed as enabled. A server that was enabled since
     * that plan was meant to go on, though its instance is gone; and an instance that joined since may have been the last to
     * work, though it is gone too.
     */
    private static boolean isPaused(Assignment inForce, Instant planned, PlanBasis basis) {
        Members members = basis.members();
        PlanBasis before = new PlanBasis(members.beforeDisabling(planned), basis.definition());
        boolean allOfThePlan = !inForce.owners().isEmpty()
                && !members.isAnyEnabledSince(planned)
                && !members.joined().isAfter(planned)
                && before.digest().equals(inForce.plannedFrom());
        return members.eligible().isEmpty() && (members.areAllDisabled() || allOfThePlan);
    }

    /**
     * Ends a pause if an instance owns items again, or operators have enabled a server: what became due in between was not
     * missed.
     */
    private static Assignment resumed(
            Assignment inForce, NavigableMap<Integer, String> owners, Members members, Instant registryNow) {
        Instant pausedFrom = inForce.pausedFrom();
        if (pausedFrom == null || (owners.isEmpty() && !members.isAnyEnabledSince(pausedFrom))) {
            return inForce;
        }
        return inForce.resumed(earlier(members.enabledFrom(pausedFrom, registryNow), registryNow));
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** A new item joins behind everything the job has seen, so that it repeats nothing. */
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

    /** Ignores a moment that is too far ahead to be claimed: it comes from a wrong clock. */
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
