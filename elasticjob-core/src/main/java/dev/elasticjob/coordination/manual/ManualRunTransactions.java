package dev.elasticjob.coordination.manual;

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

/** The steps of the protocol that concern manual runs, each as one transaction. Pure. */
public record ManualRunTransactions(JobTree tree) {
    /** Lets a manual run wait for an item; answered together with one that waits there already. */
    RegistryCommit ask(int item, ManualRun run, Optional<ManualRun.Waiting> there) {
        return waits(item, there.map(waiting -> waiting.runs().asked(run)).orElseGet(() -> WaitingRuns.of(run)), there);
    }

    /** Lets a manual run wait again whose claim is undone: before what was asked for meanwhile, or together with it. */
    public RegistryCommit restore(int item, ManualRun run, Optional<ManualRun.Waiting> there) {
        return waits(
                item, there.map(waiting -> waiting.runs().restored(run)).orElseGet(() -> WaitingRuns.of(run)), there);
    }

    /** Lets the first of the runs that wait go; the others wait on. */
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
     * Lets a manual run wait for some items, under the epoch. Each transaction sets the signal at the version that the one
     * before it leaves: repeated after a lost answer, it would otherwise ask the items that have run meanwhile once more.
     *
     * @param signal of manual runs
     * @param alongside goes with the last of them, which adds the run to the signal
     */
    List<RegistryCommit> ask(
            int epoch, ManualRun run, List<ItemView> items, Optional<RegistryNode> signal, RegistryCommit alongside) {
        byte[] before = signal.map(RegistryNode::data).orElse(new byte[0]);
        byte[] after = NodeCodec.writeRunIds(ManualRun.newest(NodeCodec.readRunIds(before), run.runIds()));
        RegistryCommit guard = Batch.guard(tree.sharding(), epoch);
        List<RegistryCommit> parts = Batch.cut(guard, items, item -> ask(item.item(), run, item.waiting())).stream()
                .map(Batch::commit)
                .toList();
        List<RegistryCommit> steps = new ArrayList<>();
        Optional<Integer> version = signal.map(RegistryNode::version);
        for (RegistryCommit part : parts.subList(0, Math.max(0, parts.size() - 1))) {
            steps.add(with(part, setSignal(before, version)));
            version = Optional.of(version.map(left -> left + 1).orElse(0));
        }
        RegistryCommit last = parts.isEmpty() ? guard : parts.get(parts.size() - 1);
        steps.add(with(last, with(setSignal(after, version), alongside)));
        return steps;
    }

    private RegistryCommit setSignal(byte[] runIds, Optional<Integer> version) {
        return RegistryCommit.builder()
                .setOrCreate(tree.triggers(), runIds, version)
                .build();
    }

    private static RegistryCommit with(RegistryCommit first, RegistryCommit second) {
        return RegistryCommit.builder().addAll(first).addAll(second).build();
    }

    /** Rings without a new run: its owners look at their items. Set as it is, at the version read. */
    public RegistryCommit raiseSignal(RegistryNode signal) {
        return RegistryCommit.builder()
                .set(tree.triggers(), signal.data(), signal.version())
                .build();
    }
}
