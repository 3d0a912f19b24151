package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.WaitingRuns;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The protocol's steps for manual runs, each as one transaction. Pure. */
public record ManualRunTransactions(JobTree tree) {
    /** Adds a manual run to those that wait for an item, or merges it with one of them. */
    RegistryCommit ask(ItemView item, ManualRun run) {
        Optional<ManualRun.Waiting> there = item.waiting();
        return waits(
                item.item(),
                there.map(waiting -> waiting.runs().asked(run)).orElseGet(() -> WaitingRuns.of(run)),
                there);
    }

    /** The same for a run that other items have been asked for already. */
    RegistryCommit askBehind(ItemView item, ManualRun run) {
        Optional<ManualRun.Waiting> there = item.waiting();
        return waits(
                item.item(),
                there.map(waiting -> waiting.runs().askedBehind(run)).orElseGet(() -> WaitingRuns.of(run)),
                there);
    }

    /**
     * Adds a manual run whose claim was undone: before the runs that were requested in the meantime, or merged with one
     * of them.
     */
    public RegistryCommit restore(int item, ManualRun run, Optional<ManualRun.Waiting> there) {
        return waits(
                item, there.map(waiting -> waiting.runs().restored(run)).orElseGet(() -> WaitingRuns.of(run)), there);
    }

    /** Removes the first of the waiting runs. */
    public RegistryCommit takeFirst(int item, ManualRun.Waiting there) {
        return there.runs()
                .behindFirst()
                .map(behind -> waits(item, behind, Optional.of(there)))
                .orElseGet(() -> RegistryCommit.builder()
                        .delete(tree.trigger(item), there.version())
                        .build());
    }

    private RegistryCommit waits(int item, WaitingRuns next, Optional<ManualRun.Waiting> there) {
        return RegistryCommit.builder()
                .setOrCreate(tree.trigger(item), NodeCodec.write(next), there.map(ManualRun.Waiting::version))
                .build();
    }

    /**
     * The requests of items under an epoch, as transactions of limited size. At least one.
     *
     * @param bytes the maximum size of each
     */
    List<RegistryCommit> parts(int epoch, RequestPlan asking, int bytes) {
        RegistryCommit guard = Batch.guard(tree.sharding(), epoch);
        List<RegistryCommit> parts = Batch.cut(bytes, guard, asking.open(), item -> part(asking, item)).stream()
                .map(Batch::commit)
                .toList();
        return parts.isEmpty() ? List.of(guard) : parts;
    }

    /**
     * The transactions of a request, with what they write about its firing.
     *
     * @param signal the signal of manual runs
     */
    List<RegistryCommit> request(RequestPlan asking, List<RegistryCommit> parts, Optional<RegistryNode> signal) {
        return new ArrayList<>(
                asking.firing().within(signalling(parts, asking.run(), signal), asking.asked(), asking.request()));
    }

    private RegistryCommit part(RequestPlan asking, ItemView item) {
        ManualRun run = asking.of().apply(item);
        return asking.isBegun() ? askBehind(item, run) : ask(item, run);
    }

    /**
     * The transactions of one request. Each sets the signal at the version that the one before it leaves. Otherwise, a
     * repetition after a lost answer would request items again that have run in the meantime. The last one adds the run to
     * the signal.
     *
     * @param parts at least one
     * @param signal the signal of manual runs
     */
    private List<RegistryCommit> signalling(List<RegistryCommit> parts, ManualRun run, Optional<RegistryNode> signal) {
        byte[] before = signal.map(RegistryNode::data).orElse(new byte[0]);
        // Who asks for a firing remembers it. Its run ids would push out those of others.
        List<String> remembered = run.repeats() == null ? run.runIds() : List.of();
        byte[] after = NodeCodec.writeRunIds(ManualRun.newest(NodeCodec.readRunIds(before), remembered));
        List<RegistryCommit> steps = new ArrayList<>();
        Optional<Integer> version = signal.map(RegistryNode::version);
        for (RegistryCommit part : parts.subList(0, parts.size() - 1)) {
            steps.add(with(part, setSignal(before, version)));
            version = Optional.of(version.map(left -> left + 1).orElse(0));
        }
        steps.add(with(parts.get(parts.size() - 1), setSignal(after, version)));
        return steps;
    }

    private RegistryCommit setSignal(byte[] runIds, Optional<Integer> version) {
        return RegistryCommit.builder()
                .setOrCreate(tree.triggers(), runIds, version)
                .build();
    }

    static RegistryCommit with(RegistryCommit first, RegistryCommit second) {
        return RegistryCommit.builder().addAll(first).addAll(second).build();
    }

    /**
     * Raises the signal without a new run, so that owners read their items. The content stays the same, at the version
     * read.
     */
    public RegistryCommit raiseSignal(RegistryNode signal) {
        return RegistryCommit.builder()
                .set(tree.triggers(), signal.data(), signal.version())
                .build();
    }
}
