package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemRecordCodec;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.WaitingRuns;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.JobTree.ItemChildren;
import dev.elasticjob.registry.JobTree.ItemOffer;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One item as it was read.
 *
 * @param version the record's version, which guards each write planned from it
 * @param recorded the time of the record's last write, by the registry's clock
 * @param waitsForFailover whether it has a failover signal, which displays an interrupted execution
 * @param waiting the manual runs that wait for it, if they were read
 * @param checkpoint the last checkpoint, if it was read
 * @param offers the names of its offers to instances with room, if they were read
 * @param problem the reason why the record can't be read; such an item doesn't start until it is corrected
 */
public record ItemView(
        int item,
        int version,
        Instant recorded,
        ItemRecord current,
        ItemChildren children,
        boolean waitsForFailover,
        Optional<ManualRun.Waiting> waiting,
        Optional<String> checkpoint,
        List<String> offers,
        Optional<String> problem) {
    /** Of which no offers were read. */
    public ItemView(
            int item,
            int version,
            Instant recorded,
            ItemRecord current,
            ItemChildren children,
            boolean waitsForFailover,
            Optional<ManualRun.Waiting> waiting,
            Optional<String> checkpoint,
            Optional<String> problem) {
        this(item, version, recorded, current, children, waitsForFailover, waiting, checkpoint, List.of(), problem);
    }

    static final int BYTES_OF_TRIGGER = 2 * 1024;
    /** Small, because a claim of a thousand items reads all of theirs. */
    public static final int MAX_BYTES_OF_CHECKPOINT = 4 * 1024;

    /** The reads that {@link #of} needs for some items. */
    static List<RegistryRead> reads(JobTree tree, Collection<Integer> items) {
        List<RegistryRead> reads = new ArrayList<>();
        for (int item : items) {
            reads.add(RegistryRead.data(tree.item(item)));
            reads.add(RegistryRead.children(tree.item(item)));
        }
        reads.add(RegistryRead.children(tree.failoverItems()));
        return reads;
    }

    /** The item in an answer, without its offers; empty if it has no node. */
    static Optional<ItemView> of(JobTree tree, int item, RegistryAnswer answer) {
        return of(tree, item, answer, Map.of());
    }

    /**
     * The item in an answer; empty if it has no node.
     *
     * @param offers the names of offers, by items; empty if they were not read
     */
    static Optional<ItemView> of(JobTree tree, int item, RegistryAnswer answer, Map<Integer, List<String>> offers) {
        String path = tree.item(item);
        return answer.node(path).map(node -> {
            ItemChildren children = JobTree.itemChildren(answer.children(path));
            boolean waits = answer.children(tree.failoverItems()).contains(String.valueOf(item));
            ItemRecord current = ItemRecord.NEW;
            Optional<String> problem = Optional.empty();
            try {
                current = ItemRecordCodec.read(path, node.data());
            } catch (CorruptNodeException e) {
                problem = Optional.of(String.valueOf(e.getMessage()));
            }
            return new ItemView(
                    item,
                    node.version(),
                    node.modified(),
                    current,
                    children,
                    waits,
                    Optional.empty(),
                    Optional.empty(),
                    offers.getOrDefault(item, List.of()),
                    problem);
        });
    }

    /** Whether it has offers, and none of them is of its present record. */
    public boolean isOfferedInVain() {
        return !offers.isEmpty() && !offers.contains(new ItemOffer(item, version).name());
    }

    /** The reads that {@link #with} needs: waiting manual runs, and the checkpoint. Most items have neither. */
    List<RegistryRead> more(JobTree tree) {
        List<RegistryRead> reads = new ArrayList<>();
        if (children.trigger()) {
            reads.add(RegistryRead.data(tree.trigger(item)));
        }
        if (children.checkpoint()) {
            reads.add(RegistryRead.data(tree.checkpoint(item)));
        }
        return reads;
    }

    /** The maximum size of the answer to {@link #more}. */
    int bytesOfMore() {
        return (children.trigger() ? BYTES_OF_TRIGGER : 0) + (children.checkpoint() ? MAX_BYTES_OF_CHECKPOINT : 0);
    }

    /** Adds the answer to {@link #more}; those nodes may be gone by now. */
    ItemView with(JobTree tree, RegistryAnswer answer) {
        Optional<ManualRun.Waiting> run = node(answer, tree.trigger(item))
                .map(node -> new ManualRun.Waiting(NodeCodec.readRuns(node), node.version()));
        Optional<String> left = node(answer, tree.checkpoint(item)).map(RegistryNode::text);
        return new ItemView(item, version, recorded, current, children, waitsForFailover, run, left, offers, problem);
    }

    private static Optional<RegistryNode> node(RegistryAnswer answer, String path) {
        return answer.covers(path) ? answer.node(path) : Optional.empty();
    }

    /** How long items take, of those that are measured and have been executed. */
    public static Map<Integer, Duration> durations(Collection<ItemView> read) {
        return read.stream()
                .filter(item -> item.current().took() != null)
                .filter(item -> !Duration.ZERO.equals(item.current().took()))
                .collect(Collectors.toMap(
                        ItemView::item,
                        item -> Objects.requireNonNull(item.current().took())));
    }

    /** The firing in its record; the beginning of time if there is none. */
    public Instant firing() {
        Instant scheduledAt = current.scheduledAt();
        return scheduledAt == null ? Instant.EPOCH : scheduledAt;
    }

    public boolean isReadable() {
        return problem.isEmpty();
    }

    /** Whether it is not running, and no interrupted execution waits. */
    public boolean isIdle() {
        return !children.running() && current.state() != ItemState.RUNNING && current.state() != ItemState.INTERRUPTED;
    }

    /** Whether it has not ended a run that it was asked for, as far as it shows; its waiting runs were read. */
    public boolean isBusyWith(String runId, boolean failover) {
        boolean waits =
                waiting.filter(runs -> runs.runs().runIds().contains(runId)).isPresent();
        return waits || (current.isOf(runId) && current.endOf(runId, failover).isEmpty());
    }

    /** The same item, for which a run waits, unless one does already. */
    public ItemView askedFor(ManualRun run) {
        return waiting.isPresent()
                ? this
                : new ItemView(
                        item,
                        version,
                        recorded,
                        current,
                        children,
                        waitsForFailover,
                        Optional.of(new ManualRun.Waiting(WaitingRuns.of(run), 0)),
                        checkpoint,
                        offers,
                        problem);
    }

    /** An item whose first record the leader is about to write. */
    public static ItemView createdAs(int item, ItemRecord first, Instant registryNow) {
        return new ItemView(
                item,
                0,
                registryNow,
                first,
                JobTree.itemChildren(List.of()),
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** Whether the record says RUNNING, but there is no lock, because the instance is gone. */
    public boolean isOrphan() {
        return isReadable() && current.state() == ItemState.RUNNING && !children.running();
    }
}
