package dev.elasticjob.simulation;

import dev.elasticjob.coordination.state.LeaveMark;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.view.OperatorDrain;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryMoment;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.InForce.Former;
import dev.elasticjob.simulation.Replica.Change;
import dev.elasticjob.simulation.Replica.Kind;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An assignment may only pass over firings that came while operators had taken everybody out of service. What else an item
 * has not seen stays owed, whatever the schedule is by then, and whoever was there.
 */
final class OwedFirings extends Chain {
    /** Where an assignment remembers so many schedules, it has forgotten some. */
    private static final int MOST_REMEMBERED = 16;

    private final RecordChain records;
    private final Clock clock;
    /** From which moment on the job was paused, or wasn't. */
    private final NavigableMap<Instant, Boolean> pauses = new TreeMap<>();

    private boolean somebodyIsEnabled;
    /** Whether somebody has owned items since the last pause began or ended. */
    private boolean owned;

    OwedFirings(Oracle oracle, RecordChain records, Quorum quorum, Clock clock) {
        super(oracle, quorum);
        this.records = records;
        this.clock = clock;
        pauses.put(Instant.MIN, false);
    }

    @Override
    public void changed(long session, List<Change> changes) {
        if (changes.stream().anyMatch(this::concernsMembers)) {
            members(changes);
        }
        changes.stream()
                .filter(change -> change.path().equals(tree.sharding()) && change.kind() == Kind.SET)
                .findFirst()
                .ifPresent(change -> InForce.of(change.before())
                        .ifPresent(before ->
                                assigned(before, InForce.of(change.after()).orElseThrow())));
    }

    // ------------------------------------------------------------------ pauses

    private boolean concernsMembers(Change change) {
        return change.path().equals(tree.extension())
                || Stream.of(tree.servers(), tree.instances(), tree.drains())
                        .anyMatch(parent -> isBelow(change, parent));
    }

    private static boolean isBelow(Change change, String parent) {
        return Replica.parent(change.path()).equals(parent);
    }

    /** Who ends the work of the last enabled instance: an operator who disables its server, or its own end. */
    private void members(List<Change> changes) {
        Set<String> disabled = quorum.tree().children(tree.servers()).orElse(List.of()).stream()
                .filter(ip -> says(tree.server(ip), "DISABLED"))
                .collect(Collectors.toCollection(TreeSet::new));
        int servers = quorum.tree().children(tree.servers()).orElse(List.of()).size();
        boolean lives = quorum.tree().children(tree.instances()).orElse(List.of()).stream()
                .filter(oracle.placement()::isChosen)
                .anyMatch(id -> !disabled.contains(id.substring(0, id.indexOf('@'))) && !drains(id));
        boolean enabled = lives || isAnyAwaited(disabled);
        List<String> switched = changes.stream()
                .filter(change -> isBelow(change, tree.servers()))
                .flatMap(change -> change.after().stream())
                .map(RegistryNode::text)
                .toList();
        boolean all = servers > 0 && disabled.size() == servers;
        if (!switched.isEmpty() && !isPaused() && !owned && pauses.size() > 1) {
            // Of an enabling that is undone, or repeated, before anybody has planned, nobody can know later on.
            pauses.pollLastEntry();
        }
        boolean asBefore = somebodyIsEnabled
                ? switched.contains("DISABLED")
                : isPaused() && switched.stream().allMatch("DISABLED"::equals);
        somebodyIsEnabled = enabled;
        boolean paused = all || (!enabled && asBefore);
        if (paused != isPaused()) {
            pauses.put(clock.instant(), paused);
            owned = false;
        }
    }

    /** An owner that has left and may come back counts as long as its server is enabled and the job chooses it. */
    private boolean isAnyAwaited(Set<String> disabled) {
        return plan().stream()
                .flatMap(inForce -> inForce.owners().values().stream().distinct())
                .filter(owner -> node(tree.instance(owner)).isEmpty())
                .anyMatch(owner -> node(tree.drain(owner))
                        .filter(mark -> isAwaited(owner, mark, disabled))
                        .isPresent());
    }

    private boolean isAwaited(String owner, RegistryNode node, Set<String> disabled) {
        Instant now = clock.instant();
        return LeaveMark.of(node)
                .filter(mark ->
                        !mark.stopping() && node.modified().plus(mark.awaited()).isAfter(now))
                .filter(mark -> !new RegistryMoment(now).isAhead(node.modified()))
                .filter(mark -> !disabled.contains(NodeCodec.serverIp(owner, mark.shown())))
                .flatMap(mark -> NodeCodec.labels(mark.shown()))
                .filter(labels -> definition().instances().matches(labels))
                .isPresent();
    }

    private boolean isPaused() {
        return pauses.lastEntry().getValue();
    }

    private boolean drains(String id) {
        String czxid = quorum.tree()
                .node(tree.instance(id))
                .map(node -> Long.toString(node.czxid()))
                .orElse("");
        return says(tree.drain(id), czxid)
                || node(tree.drain(id)).flatMap(OperatorDrain::of).isPresent();
    }

    private boolean says(String path, String text) {
        return node(path).filter(node -> node.text().equals(text)).isPresent();
    }

    /** A pause that begins or ends with a firing has met it. */
    private boolean wasPausedAt(Instant firing) {
        return pauses.floorEntry(firing).getValue()
                || pauses.lowerEntry(firing).getValue()
                || oracle.holds().wasPausedAt(firing);
    }

    // ------------------------------------------------------------------ assignments

    private void assigned(InForce before, InForce after) {
        owned |= !after.owners().isEmpty();
        boolean recorded = before.monitored() && after.monitored();
        if (!recorded || after.former().size() >= MOST_REMEMBERED) {
            return;
        }
        // The plan's: "config" may say another one since the leader read it.
        int total = after.owners().isEmpty()
                ? definition().shardingTotalCount()
                : after.owners().size();
        Former present = new Former(before.schedule(), before.since(), after.since());
        Stream.concat(before.former().stream(), Stream.of(present)).forEach(schedule -> {
            Optional<Instant> firing = schedule.next(schedule.since());
            // A broken plan may pass over those of decades.
            while (firing.isPresent() && oracle.violation().isEmpty()) {
                // One that is made, or corrected, while the registry's clock is wrong speaks of the wrong hour.
                boolean pardoned = quorum.isPardoned() && quorum.hasBeenAheadBy(firing.get());
                if (!pardoned && !wasPausedAt(firing.get()) && !after.owes(firing.get())) {
                    everyItemHasSeen(firing.get(), total);
                }
                firing = schedule.next(firing.get());
            }
        });
    }

    private void everyItemHasSeen(Instant firing, int total) {
        for (String name : quorum.tree().children(tree.sharding()).orElse(List.of())) {
            JobTree.itemNumber(name)
                    .ifPresent(item -> quorum.tree()
                            .node(tree.item(item))
                            .filter(node -> item < total)
                            .ifPresent(node -> hasSeen(item, node, firing)));
        }
    }

    /** What is claimed, and may be unclaimed, isn't seen yet. */
    private void hasSeen(int item, RegistryNode node, Instant firing) {
        Recorded recorded = records.ifUnclaimed(item, Recorded.of(node));
        boolean seen = recorded.scheduledAt() != null && !recorded.scheduledAt().isBefore(firing);
        if (!seen && node(tree.disabled(item)).isEmpty()) {
            oracle.violated("P3, no firing lost: item %d has not seen %s, which an assignment passes over: %s"
                    .formatted(item, firing, recorded));
        }
    }
}
