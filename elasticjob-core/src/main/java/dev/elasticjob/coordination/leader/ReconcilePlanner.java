package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.item.ItemChange.Abandon;
import dev.elasticjob.coordination.item.ItemChange.StaleSignal;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.ServerState;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader.LeaderView;
import dev.elasticjob.coordination.view.OperatorDrain;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryMoment;
import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Compares a job's state with the expected state. Pure. The effects of changed settings are found whenever the leader
 * reads the items. The periodic comparison finds the rest, which only other software, operators, or crashes at unlucky
 * moments can cause.
 */
record ReconcilePlanner(LeaderView view) {
    /** A repair of the periodic comparison. */
    sealed interface Repair {
        /** Sets back a record from a clock that was ahead: the item would not run until that time. */
        record SetBack(ItemView item, Instant latest) implements Repair {}

        /** @param displayed the node that displays another owner, if there is one */
        record Display(int item, String owner, Optional<RegistryNode> displayed) implements Repair {}

        /** Deletes a node that belongs to no session any more and would stay forever. */
        record Deletion(String path, RegistryNode node) implements Repair {}

        /** Deletes an operator's drain that no instance has by now. */
        record IdleDrain(String id, RegistryNode node) implements Repair {}
    }

    NavigableMap<Integer, String> owners() {
        return view.job().assignment().orElseThrow().owners();
    }

    private Stream<ItemView> items() {
        return view.items().values().stream();
    }

    /** The interrupted executions that will not be repeated because failover is off. */
    List<Abandon> abandoned(JobDefinition definition) {
        return items().filter(item -> !definition.failover()
                        && item.waitsForFailover()
                        && item.current().state() == ItemState.INTERRUPTED
                        && !item.children().running())
                .map(item -> Abandon.by(view.job().instance(), item, "failover was switched off"))
                .toList();
    }

    /** The failover signals without an interrupted execution. */
    List<StaleSignal> staleSignals() {
        return items().filter(item -> item.waitsForFailover() && item.isReadable() && item.isIdle())
                .map(StaleSignal::new)
                .toList();
    }

    /** The interrupted executions without a failover signal although failover is on. */
    List<ItemView> unsignalled(JobDefinition definition) {
        return items().filter(item -> definition.failover()
                        && item.current().state() == ItemState.INTERRUPTED
                        && !item.waitsForFailover()
                        && item.item() < definition.shardingTotalCount())
                .toList();
    }

    /**
     * The records that are ahead of both clocks: the registry's own may have been set back.
     *
     * @param here this machine's time
     */
    List<Repair> recordsFromTheFuture(RegistryMoment present, Instant here) {
        RegistryMoment local = new RegistryMoment(here);
        Assignment inForce = view.job().assignment().orElseThrow();
        Instant due = inForce.schedule()
                .latestNotAfter(present.now())
                .filter(inForce.since()::isBefore)
                .orElse(present.bounded(inForce.since()));
        // What an item that was removed has seen does not run again.
        Instant floor = inForce.floor();
        Instant latest = floor == null ? due : Assignment.later(due, present.bounded(floor));
        return items().filter(item -> !item.children().running())
                .filter(item -> Optional.ofNullable(item.current().scheduledAt())
                        .filter(seen -> present.isAhead(seen) && local.isAhead(seen))
                        .isPresent())
                .<Repair>map(item -> new Repair.SetBack(item, latest))
                .toList();
    }

    /**
     * The other repairs.
     *
     * @param nodes the nodes of the members and of the displayed owners, by path
     * @param present the registry's time, by which an instance that has left may still be awaited
     * @param idleBefore the {@link #idle} nodes of the last comparison
     */
    List<Repair> repairs(Map<String, RegistryNode> nodes, RegistryMoment present, Set<String> idleBefore) {
        JobTree tree = view.job().tree();
        List<Repair> repairs = new ArrayList<>();
        owners().forEach((item, owner) -> {
            Optional<RegistryNode> displayed = Optional.ofNullable(nodes.get(tree.owner(item)));
            if (!displayed.map(RegistryNode::text).equals(Optional.of(owner))) {
                repairs.add(new Repair.Display(item, owner, displayed));
            }
        });
        BiConsumer<String, Predicate<RegistryNode>> deleteIf = (path, condition) -> Optional.ofNullable(nodes.get(path))
                .filter(condition)
                .ifPresent(node -> repairs.add(new Repair.Deletion(path, node)));
        view.job().instances().forEach(id -> deleteIf.accept(tree.instance(id), node -> !node.isEphemeral()));
        view.job()
                .draining()
                .forEach(id -> Optional.ofNullable(nodes.get(tree.drain(id)))
                        .filter(node -> !isAwaited(id, present))
                        .flatMap(node -> undrained(id, node, idleBefore))
                        .ifPresent(repairs::add));
        // While no item has an owner, or all owners are awaited, an enabled server shows that its instance is expected.
        if (owners().values().stream().anyMatch(view.job().instances()::contains)) {
            view.job().servers().stream()
                    .map(tree::server)
                    .filter(path -> isIdle(path, idleBefore))
                    .forEach(path -> deleteIf.accept(path, node -> !ServerState.isDisabled(node)));
        }
        return repairs;
    }

    private boolean isAwaited(String id, RegistryMoment present) {
        return view.members().leavers().stream()
                .anyMatch(leaver -> leaver.id().equals(id) && !leaver.isOver(present.now()));
    }

    private Optional<Repair> undrained(String id, RegistryNode drain, Set<String> idleBefore) {
        String path = view.job().tree().drain(id);
        if (OperatorDrain.of(drain).isPresent()) {
            return isIdle(path, idleBefore) ? Optional.of(new Repair.IdleDrain(id, drain)) : Optional.empty();
        }
        return view.members().all().stream().noneMatch(member -> member.czxid() == NodeCodec.drained(drain))
                ? Optional.of(new Repair.Deletion(path, drain))
                : Optional.empty();
    }

    private boolean isIdle(String path, Set<String> before) {
        return before.contains(path) && idle().contains(path);
    }

    /** The paths of the servers, and of the drains, that no instance has: it may be between two sessions. */
    Set<String> idle() {
        JobTree tree = view.job().tree();
        Set<String> idle = new TreeSet<>();
        view.job().servers().forEach(ip -> idle.add(tree.server(ip)));
        view.job().draining().forEach(id -> idle.add(tree.drain(id)));
        view.members().all().forEach(member -> {
            idle.remove(tree.server(member.serverIp()));
            idle.remove(tree.drain(member.id()));
        });
        // One that comes back finds its server as operators have left it.
        view.members()
                .leavers()
                .forEach(leaver -> idle.remove(tree.server(leaver.was().serverIp())));
        return idle;
    }
}
