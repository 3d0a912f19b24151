package dev.elasticjob.simulation;

import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.OpenFiring.Phase;
import dev.elasticjob.coordination.state.OpenFirings;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.Replica.Change;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Follows the open firings of a job from transaction to transaction: each opens once, ends once, and nothing of it later. */
final class FiringChain extends Chain {
    private final Clock clock;
    private final ToldEnds told;
    private final Map<String, OpenFiring> opened = new HashMap<>();
    private final Map<String, OpenFiring> ended = new HashMap<>();
    private final Map<String, Instant> openedAt = new HashMap<>();
    /** Items, and the scheduled firings that they have begun as open ones. */
    private final Set<String> begun = new HashSet<>();

    /** Items, and the manual runs that they have been asked for. */
    private final Set<String> asked = new HashSet<>();

    private OpenFirings now = OpenFirings.NONE;
    /** As it was before the present transaction. */
    private OpenFirings before = OpenFirings.NONE;

    private Optional<InForce> plan = Optional.empty();

    FiringChain(Oracle oracle, Quorum quorum, Clock clock) {
        super(oracle, quorum);
        this.clock = clock;
        this.told = new ToldEnds(oracle);
    }

    // ------------------------------------------------------------------ transactions

    @Override
    public void changed(long session, List<Change> changes) {
        before = now;
        changes.forEach(this::asks);
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            if (change.path().equals(tree.sharding())) {
                plan = InForce.of(change.after());
            } else if (change.path().equals(tree.firings())) {
                firings(read(change.after()), changes.subList(i, changes.size()));
            } else {
                change.item(tree).ifPresent(item -> record(item, change));
            }
        }
    }

    /** A run has all of its items before one of them begins: none is asked for it later. */
    private void asks(Change change) {
        String child =
                change.path().startsWith(tree.sharding() + "/") && change.path().endsWith("/trigger")
                        ? change.path().substring(tree.sharding().length() + 1)
                        : "";
        if (child.isEmpty()
                || change.after().filter(node -> node.data().length > 0).isEmpty()) {
            return;
        }
        for (String runId : RunChain.waiting(change.after().get())) {
            String id = OpenFiring.idOf(runId);
            if (asked.add(child + " " + runId)
                    && opensFirings()
                    && opened.containsKey(id)
                    && now.find(id).filter(OpenFiring::isAsking).isEmpty()) {
                oracle.violated("a run is asked for as a whole: later %s for %s".formatted(child, runId));
            }
        }
    }

    /** Otherwise nothing has waited for it, and what was asked may have ended long ago. */
    private boolean isOfThisPlan(OpenFiring firing) {
        return opensFirings()
                && !firing.since().isBefore(Objects.requireNonNull(plan.get().opensFrom()));
    }

    private void everyItemWasAsked(OpenFiring before, OpenFiring after) {
        for (int item : after.items()) {
            String runId = Objects.requireNonNull(after.runId());
            if (!before.items().contains(item) || !asked.contains(item + "/trigger " + runId)) {
                oracle.violated("a run begins with items that were asked: not with %d of %s".formatted(item, after));
            }
        }
    }

    private void firings(OpenFirings next, List<Change> later) {
        now.open().stream()
                .filter(before -> before.isAsking() && isOfThisPlan(before))
                .forEach(before -> next.find(before.id())
                        .filter(after -> !after.isAsking())
                        .ifPresent(after -> everyItemWasAsked(before, after)));
        next.open().stream().filter(firing -> now.find(firing.id()).isEmpty()).forEach(this::opens);
        List<OpenFiring> gone = now.open().stream()
                .filter(firing -> next.find(firing.id()).isEmpty())
                .toList();
        now.open()
                .forEach(before ->
                        next.find(before.id()).ifPresent(after -> oracle.hooks().changes(before, after, abandoned())));
        now.open().stream()
                .filter(before -> before.phase() == Phase.ITEMS)
                .filter(before -> next.find(before.id())
                        .filter(after -> after.phase() == Phase.ITEMS)
                        .isEmpty())
                .forEach(this::everyItemHasEnded);
        now = next;
        gone.forEach(firing -> ends(firing, later));
    }

    private OpenFirings read(Optional<RegistryNode> node) {
        return node.map(found -> NodeCodec.readFirings(found, tree.firings())).orElse(OpenFirings.NONE);
    }

    private void opens(OpenFiring firing) {
        if (opened.put(firing.id(), firing) != null) {
            oracle.violated("a firing opens once: again " + firing);
        }
        openedAt.put(firing.id(), clock.instant());
        for (int item : firing.items()) {
            if (firing.scheduledAt() != null && begun.contains(item + " " + firing.scheduledAt())) {
                oracle.violated("no item begins before its firing is open: item %d of %s".formatted(item, firing));
            }
        }
    }

    private int abandoned() {
        return definition().maxFailovers();
    }

    private void ends(OpenFiring firing, List<Change> later) {
        ended.put(firing.id(), firing);
        oracle.hooks().ends(firing, abandoned());
        for (Execution execution : oracle.active()) {
            if (firing.items().contains(execution.item()) && isOf(execution, firing) && !oracle.isExcused(execution)) {
                oracle.violated("a firing ends when all its items have: %s, but %s".formatted(firing, execution));
            }
        }
        told.ends(firing, plan.filter(InForce::isFollowed).isPresent(), later);
    }

    private void everyItemHasEnded(OpenFiring firing) {
        firing.items().stream()
                .filter(item -> !hasEnded(item, firing))
                .findFirst()
                .ifPresent(item -> oracle.violated("a firing ends when every item of it has: item %d with %s, of %s"
                        .formatted(item, node(tree.item(item)).map(Recorded::of), firing)));
    }

    private boolean hasEnded(int item, OpenFiring firing) {
        Optional<Recorded> record = node(tree.item(item)).map(Recorded::of);
        if (record.isEmpty()) {
            // While nobody owns anything, the settings alone say which items are no more.
            return plan.filter(inForce -> inForce.owners().isEmpty()
                            ? item < definition().shardingTotalCount()
                            : inForce.owners().containsKey(item))
                    .isEmpty();
        }
        return firing.scheduledAt() == null
                ? hasEndedRun(item, firing.runId(), record.get())
                : hasEnded(firing.scheduledAt(), record.get());
    }

    private boolean hasEndedRun(int item, String runId, Recorded record) {
        return !RunChain.isAsked(quorum.tree(), tree, item, runId) && (!record.isOf(runId) || isSettled(record));
    }

    private boolean hasEnded(Instant firing, Recorded record) {
        if (record.ends().stream().anyMatch(end -> end.startsWith(firing + " "))) {
            return true;
        }
        if (record.scheduledAt() == null || record.scheduledAt().isBefore(firing)) {
            return plan.filter(inForce ->
                            inForce.monitored() && (firing.isAfter(inForce.since()) || inForce.spans(firing)))
                    .isEmpty();
        }
        return record.scheduledAt().isAfter(firing) || record.runId() != null || isSettled(record);
    }

    private boolean isSettled(Recorded record) {
        return record.isOver() || (record.is("INTERRUPTED") && !definition().failover());
    }

    private void record(int item, Change change) {
        Recorded before = change.before().map(Recorded::of).orElse(Recorded.NEW);
        Recorded after = change.after().map(Recorded::of).orElse(before);
        told.recorded(item, before, after);
        if (!after.is("RUNNING") || before.is("RUNNING")) {
            return;
        }
        if (after.isClaimed()) {
            claims(item, after);
        } else if (before.opened()
                && plan.filter(inForce -> inForce.opensFrom() != null).isPresent()) {
            require(mayBegin(item, before), "no item is taken for a firing that has ended", item, before);
        }
    }

    private boolean opensFirings() {
        return plan.filter(inForce -> inForce.monitored() && inForce.opensFrom() != null)
                .isPresent();
    }

    private void claims(int item, Recorded after) {
        if (!opensFirings()) {
            require(!after.opened(), "no firing is open in a job that opens none", item, after);
        } else if (after.runId() != null) {
            require(mayBegin(item, after), "no run is claimed before the listeners, or after its end", item, after);
        } else if (after.opened() || plan.get().opens(after.scheduledAt())) {
            require(after.opened() && mayBegin(item, after), "a claim is one of an open firing", item, after);
        }
    }

    private void require(boolean holds, String what, int item, Recorded record) {
        if (!holds) {
            oracle.violated("%s: item %d with %s, while there is %s".formatted(what, item, record, now));
        }
    }

    // ------------------------------------------------------------------ executions

    private static boolean isOf(Execution execution, OpenFiring firing) {
        return firing.scheduledAt() == null
                ? List.of(execution.cause().split(",")).contains(firing.runId())
                : execution.token() != 0
                        && execution.cause().equals(firing.scheduledAt().toString());
    }

    void begins(Execution execution) {
        if (execution.token() == 0) {
            return;
        }
        boolean isOpened = quorum.tree()
                .node(tree.item(execution.item()))
                .map(Recorded::of)
                .filter(Recorded::opened)
                .isPresent();
        if (isOpened && execution.cause().equals(execution.scheduledAt().toString())) {
            begun.add(execution.item() + " " + execution.scheduledAt());
        }
        ended.values().stream()
                .filter(firing -> firing.items().contains(execution.item()) && isOf(execution, firing))
                .findFirst()
                .ifPresent(firing -> oracle.violated(
                        "no item begins after its firing has ended: %s, %s".formatted(execution, firing)));
        now.open().stream()
                .filter(firing -> isOpened)
                .filter(firing -> firing.items().contains(execution.item()) && isOf(execution, firing))
                .forEach(firing -> oracle.hooks().begins(execution, firing));
        now.open().stream()
                .filter(firing -> isOpened)
                .filter(firing ->
                        firing.items().contains(execution.item()) && isOf(execution, firing) && !firing.letsBegin())
                .findFirst()
                .ifPresent(firing ->
                        oracle.violated("no item begins before the listeners: %s, %s".formatted(execution, firing)));
    }

    // ------------------------------------------------------------------ what others ask

    boolean wasOpened(Instant firing) {
        return opened.containsKey(OpenFiring.idOf(firing));
    }

    /** Whether an item may begin what its record shows: nobody waits for it, or it is open, and names the item. */
    boolean mayBegin(int item, Recorded record) {
        if (record.runId() == null) {
            return now.at(record.scheduledAt())
                    .filter(firing -> firing.letsBegin() && firing.items().contains(item))
                    .isPresent();
        }
        List<OpenFiring> open = List.of(record.runId().split(",")).stream()
                .flatMap(runId -> now.find(OpenFiring.idOf(runId)).stream())
                .toList();
        return open.stream().allMatch(OpenFiring::letsBegin) && !(record.opened() && open.isEmpty());
    }

    /** Whether a firing is open that the item has not begun: that goes first. */
    boolean awaits(int item) {
        Optional<Instant> seen = quorum.tree()
                .node(tree.item(item))
                .map(Recorded::of)
                .flatMap(record -> Optional.ofNullable(record.scheduledAt()));
        return now.moments(item).stream().anyMatch(open -> seen.isEmpty() || open.isAfter(seen.get()));
    }

    /** Whether some items of a manual run may have yet to be asked for it. */
    boolean isAsking(String runId) {
        return now.find(OpenFiring.idOf(runId)).filter(OpenFiring::isAsking).isPresent();
    }

    /** Whether the listeners have failed before a firing that is open, and that names the item. */
    boolean isRefused(int item, Recorded record) {
        List<String> ids = record.runId() == null
                ? List.of(OpenFiring.idOf(record.scheduledAt()))
                : Stream.of(record.runId().split(",")).map(OpenFiring::idOf).toList();
        return ids.stream()
                .allMatch(id -> now.find(id)
                        .filter(firing ->
                                firing.refused() != null && firing.items().contains(item))
                        .isPresent());
    }

    /** Whether no item is left that would begin a firing: all have ended it, or its run was cancelled. */
    boolean isLeftBehind(OpenFiring firing) {
        return firing.items().stream().allMatch(item -> hasEnded(item, firing) || isDropped(item, firing.runId()));
    }

    private boolean isDropped(int item, @Nullable String runId) {
        return runId != null
                && quorum.tree()
                        .node(tree.trigger(item))
                        .filter(node -> RunChain.isDropped(node, runId))
                        .isPresent();
    }

    /** Whether the item has no part in the firing: it joined later, or a later firing was opened first. */
    boolean isOver(int item, Instant firing) {
        return isOver(item, firing, now);
    }

    /** The same, before the present transaction: what it has opened itself is no excuse for what it leaves out. */
    boolean wasOver(int item, Instant firing) {
        return isOver(item, firing, before);
    }

    private boolean isOver(int item, Instant firing, OpenFirings then) {
        OpenFiring known = opened.get(OpenFiring.idOf(firing));
        boolean opens = plan.filter(inForce -> inForce.opens(firing)).isPresent();
        return known != null
                ? !known.items().contains(item)
                : opens && then.newest() != null && then.newest().isAfter(firing);
    }

    /** In a healthy cluster, nothing stays open. */
    void nothingIsOpenFor(Duration duration) {
        Instant latest = clock.instant().minus(duration);
        now.open().stream()
                .filter(firing -> openedAt.get(firing.id()).isBefore(latest))
                .findFirst()
                .ifPresent(firing -> oracle.violated("every firing that was opened ends: " + firing));
    }

    int opened() {
        return opened.size();
    }
}
