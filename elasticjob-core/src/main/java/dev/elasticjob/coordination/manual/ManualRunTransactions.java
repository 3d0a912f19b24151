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
     * Lets a manual run wait for some items, under the epoch.
     *
     * @param last what goes with the last of them: the signal
     */
    List<RegistryCommit> ask(int epoch, ManualRun run, List<ItemView> items, RegistryCommit last) {
        RegistryCommit guard = Batch.guard(tree.sharding(), epoch);
        List<RegistryCommit> steps = new ArrayList<>();
        Batch.cut(guard, items, item -> ask(item.item(), run, item.waiting()))
                .forEach(batch -> steps.add(batch.commit()));
        RegistryCommit before = steps.isEmpty() ? guard : steps.remove(steps.size() - 1);
        steps.add(RegistryCommit.builder().addAll(before).addAll(last).build());
        return steps;
    }

    /** Rings for manual runs. A repeated request finds its id here. */
    RegistryCommit raiseSignalFor(ManualRun run, Optional<RegistryNode> signal) {
        List<String> before =
                signal.map(node -> NodeCodec.readRunIds(node.data())).orElse(List.of());
        byte[] runIds = NodeCodec.writeRunIds(ManualRun.newest(before, run.runIds()));
        return RegistryCommit.builder()
                .setOrCreate(tree.triggers(), runIds, signal.map(RegistryNode::version))
                .build();
    }

    /** Rings without a new run: its owners look at their items. Set as it is, at the version read. */
    public RegistryCommit raiseSignal(RegistryNode signal) {
        return RegistryCommit.builder()
                .set(tree.triggers(), signal.data(), signal.version())
                .build();
    }
}
