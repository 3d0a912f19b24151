package dev.elasticjob.coordination;

import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.JobTree.ItemChildren;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * One item as it was read.
 *
 * @param version of its record: a guard for whatever is written because of it
 * @param waitsForFailover whether it has a failover item, the display of an interrupted execution
 * @param waiting the manual runs that wait for it, where it was asked for
 * @param problem why the record can't be read; such an item is left alone until it is mended
 */
record ItemView(
        int item,
        int version,
        ItemRecord current,
        ItemChildren children,
        boolean waitsForFailover,
        Optional<ManualRun.Waiting> waiting,
        Optional<String> problem) {
    /** What {@link #of} needs of some items. */
    static List<RegistryRead> reads(JobTree tree, Collection<Integer> items) {
        List<RegistryRead> reads = new ArrayList<>();
        for (int item : items) {
            reads.add(RegistryRead.data(tree.item(item)));
            reads.add(RegistryRead.children(tree.item(item)));
        }
        reads.add(RegistryRead.children(tree.failoverItems()));
        return reads;
    }

    /** The item in an answer; empty where it has no node. */
    static Optional<ItemView> of(JobTree tree, int item, RegistryAnswer answer) {
        String path = tree.item(item);
        return answer.node(path).map(node -> {
            ItemChildren children = JobTree.itemChildren(answer.children(path));
            boolean waits = answer.children(tree.failoverItems()).contains(String.valueOf(item));
            try {
                ItemRecord current = ItemRecordCodec.read(path, node.data());
                return new ItemView(item, node.version(), current, children, waits, Optional.empty(), Optional.empty());
            } catch (CorruptNodeException e) {
                return new ItemView(
                        item,
                        node.version(),
                        ItemRecord.NEW,
                        children,
                        waits,
                        Optional.empty(),
                        Optional.of(String.valueOf(e.getMessage())));
            }
        });
    }

    /** The same with the manual run that waits for it, as it was read; the node may be gone again. */
    ItemView withTrigger(Optional<RegistryNode> trigger) {
        Optional<ManualRun.Waiting> run =
                trigger.map(node -> new ManualRun.Waiting(NodeCodec.readRuns(node), node.version()));
        return new ItemView(item, version, current, children, waitsForFailover, run, problem);
    }

    boolean isReadable() {
        return problem.isEmpty();
    }

    /** Neither executing nor owing an execution. */
    boolean isIdle() {
        return !children.running() && current.state() != ItemState.RUNNING && current.state() != ItemState.INTERRUPTED;
    }

    /** Whether nobody's execution, under way or owed, counts on the version of its record. */
    boolean isUnclaimed() {
        return isReadable() && isIdle();
    }

    /** Shown as executing, without the lock of an executing one: its instance is gone. */
    boolean isOrphan() {
        return isReadable() && current.state() == ItemState.RUNNING && !children.running();
    }
}
