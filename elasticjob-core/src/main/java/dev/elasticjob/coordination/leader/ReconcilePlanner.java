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
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Compares a job's state with what it should be. Pure. The results of a change of settings are found whenever the leader
 * reads the items; the rest, which only other software, operators, or crashes at unlucky moments can cause, by the
 * comparison at intervals, as transactions that are guarded by what was read.
 */
record ReconcilePlanner(LeaderView view) {
    NavigableMap<Integer, String> owners() {
        return view.job().assignment().orElseThrow().owners();
    }

    private Stream<ItemView> items() {
        return view.items().values().stream();
    }

    /** The interrupted executions that will not be repeated, because failover is off. */
    List<Drop> drops(JobDefinition definition) {
        return items().filter(item -> !definition.failover()
                        && item.waitsForFailover()
                        && item.current().state() == ItemState.INTERRUPTED
                        && !item.children().running())
                .map(item -> Drop.by(view.job().instance(), item, "failover was switched off"))
                .toList();
    }

    /** The failover items without an interrupted execution. */
    List<Silence> silences() {
        return items().filter(item -> item.waitsForFailover() && item.isReadable() && item.isIdle())
                .map(Silence::new)
                .toList();
    }

    /** The interrupted executions without a failover item, though failover is on. */
    List<ItemView> unheard(JobDefinition definition) {
        return items().filter(item -> definition.failover()
                        && item.current().state() == ItemState.INTERRUPTED
                        && !item.waitsForFailover()
                        && item.item() < definition.shardingTotalCount())
                .toList();
    }

    /** Sets back the records of a clock that was ahead: their items would not run until that time is reached. */
    List<RegistryCommit> recordsFromTheFuture(Instant registryNow) {
        Assignment inForce = view.job().assignment().orElseThrow();
        Instant latest = inForce.schedule()
                .latestNotAfter(registryNow)
                .filter(inForce.since()::isBefore)
                .orElse(inForce.since());
        return items().filter(item -> !item.children().running())
                .filter(item -> Optional.ofNullable(item.current().scheduledAt())
                        .filter(seen -> !Assignment.mayBeClaimed(seen, registryNow))
                        .isPresent())
                .map(item -> transactions().setBack(view.job().epoch(), item, latest))
                .toList();
    }

    /**
     * Everything else that only the comparison at intervals repairs.
     *
     * @param answer with the nodes of the members, and of the displayed owners
     * @param idleBefore the servers that had no instance in the last comparison
     */
    List<RegistryCommit> repairs(RegistryAnswer answer, Set<String> idleBefore) {
        JobTree tree = view.job().tree();
        List<RegistryCommit> repairs = new ArrayList<>();
        owners().forEach((item, owner) -> {
            Optional<RegistryNode> displayed = answer.node(tree.owner(item));
            if (!displayed.map(RegistryNode::text).equals(Optional.of(owner))) {
                repairs.add(transactions().display(view.job().epoch(), item, owner, displayed));
            }
        });
        // These belong to no session, so they would stay for ever.
        for (String id : view.job().instances()) {
            answer.node(tree.instance(id))
                    .filter(node -> !node.isEphemeral())
                    .ifPresent(node -> repairs.add(deletion(tree.instance(id), node)));
        }
        for (String id : view.job().draining()) {
            answer.node(tree.drain(id))
                    .filter(node ->
                            view.members().all().stream().noneMatch(one -> one.czxid() == NodeCodec.drained(node)))
                    .ifPresent(node -> repairs.add(deletion(tree.drain(id), node)));
        }
        // While nobody owns anything, an enabled server shows that its instance is awaited, and that this is no pause.
        for (String ip : owners().isEmpty() ? Set.<String>of() : idleServers()) {
            answer.node(tree.server(ip))
                    .filter(node -> idleBefore.contains(ip) && !ServerState.isDisabled(node))
                    .ifPresent(node -> repairs.add(deletion(tree.server(ip), node)));
        }
        return repairs;
    }

    /** The servers without an instance. */
    Set<String> idleServers() {
        Set<String> idle = new TreeSet<>(view.job().servers());
        view.members().all().forEach(member -> idle.remove(member.serverIp()));
        return idle;
    }

    private JobTransactions transactions() {
        return new JobTransactions(view.job().tree());
    }

    private static RegistryCommit deletion(String path, RegistryNode node) {
        return RegistryCommit.builder().delete(path, node.version()).build();
    }
}
