package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.failover.ItemChange.Drop;
import dev.elasticjob.coordination.failover.ItemChange.Silence;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.ServerState;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader.LeaderView;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares a job's state with what it should be. Pure. What follows from a change of settings is found whenever the
 * leader looks at the items; the rest, which only foreign hands or crashes at unlucky moments can cause, by the
 * reconcile rounds.
 */
final class ReconcilePlanner {
    private ReconcilePlanner() {}

    /** Interrupted executions that nobody will repeat, because failover is off. */
    static List<Drop> drops(LeaderView view, JobDefinition definition) {
        return definition.failover()
                ? List.of()
                : view.items().values().stream()
                        .filter(item -> item.waitsForFailover()
                                && item.current().state() == ItemState.INTERRUPTED
                                && !item.children().running())
                        .map(item -> Drop.by(view.job().instance(), item, "failover was switched off"))
                        .toList();
    }

    /** Failover items without an interrupted execution. */
    static List<Silence> silences(LeaderView view) {
        return view.items().values().stream()
                .filter(item -> item.waitsForFailover() && item.isReadable() && item.isIdle())
                .map(Silence::new)
                .toList();
    }

    /** Interrupted executions without a failover item, though failover is on. */
    static List<ItemView> unheard(LeaderView view, JobDefinition definition) {
        return !definition.failover()
                ? List.of()
                : view.items().values().stream()
                        .filter(item -> item.current().state() == ItemState.INTERRUPTED
                                && !item.waitsForFailover()
                                && item.item() < definition.shardingTotalCount())
                        .toList();
    }

    /**
     * What only a reconcile round repairs.
     *
     * @param nodes the nodes of the members and those that show the items' owners, as they were just read
     * @param idleServers the servers that had no instance at the last round
     */
    static List<Repair> repairs(
            LeaderView view, Map<String, RegistryNode> nodes, Set<String> idleServers, Instant registryNow) {
        List<Repair> repairs = new ArrayList<>();
        JobTree tree = view.job().tree();
        repairs.addAll(futureRecords(view, registryNow));
        repairs.addAll(wrongDisplays(view, nodes));
        for (String id : view.job().instances()) {
            RegistryNode node = nodes.get(tree.instance(id));
            if (node != null && !node.isEphemeral()) {
                repairs.add(new Repair.UnownedInstance(id, node.version()));
            }
        }
        for (String id : view.job().draining()) {
            RegistryNode node = nodes.get(tree.drain(id));
            if (node != null
                    && view.members().all().stream().noneMatch(one -> one.czxid() == NodeCodec.drained(node))) {
                repairs.add(new Repair.LeftDrain(id, node.version()));
            }
        }
        // While nobody owns anything, an enabled server tells that its instance is awaited, and operators want no
        // pause.
        boolean somebodyOwns = !view.job().assignment().orElseThrow().owners().isEmpty();
        for (String ip : somebodyOwns ? idleServers(view) : Set.<String>of()) {
            RegistryNode node = nodes.get(tree.server(ip));
            if (node != null && idleServers.contains(ip) && !ServerState.isDisabled(node)) {
                repairs.add(new Repair.IdleServer(ip, node.version()));
            }
        }
        return repairs;
    }

    /** Servers without an instance. */
    static Set<String> idleServers(LeaderView view) {
        Set<String> idle = new TreeSet<>(view.job().servers());
        view.members().all().forEach(member -> idle.remove(member.serverIp()));
        return idle;
    }

    private static List<Repair> futureRecords(LeaderView view, Instant registryNow) {
        Assignment inForce = view.job().assignment().orElseThrow();
        Instant latest = inForce.schedule()
                .latestNotAfter(registryNow)
                .filter(inForce.since()::isBefore)
                .orElse(inForce.since());
        List<Repair> repairs = new ArrayList<>();
        for (ItemView item : view.items().values()) {
            Instant scheduledAt = item.current().scheduledAt();
            if (scheduledAt != null
                    && !Assignment.mayBeClaimed(scheduledAt, registryNow)
                    && !item.children().running()) {
                repairs.add(new Repair.FutureRecord(item, latest));
            }
        }
        return repairs;
    }

    private static List<Repair> wrongDisplays(LeaderView view, Map<String, RegistryNode> nodes) {
        JobTree tree = view.job().tree();
        List<Repair> repairs = new ArrayList<>();
        view.job().assignment().orElseThrow().owners().forEach((item, owner) -> {
            Optional<RegistryNode> shown = Optional.ofNullable(nodes.get(tree.owner(item)));
            if (!shown.map(RegistryNode::text).equals(Optional.of(owner))) {
                repairs.add(new Repair.WrongDisplay(item, owner, shown.map(RegistryNode::version)));
            }
        });
        return repairs;
    }
}
