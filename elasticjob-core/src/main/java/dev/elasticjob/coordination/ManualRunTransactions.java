package dev.elasticjob.coordination;

import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The steps of the protocol that concern manual runs, each as one transaction. Pure.
 *
 * @see JobTransactions
 */
record ManualRunTransactions(JobTree tree) {
    /** Lets a manual run wait for an item; together with one that waits there already. */
    RegistryCommit ask(int item, ManualRun run, Optional<ManualRun.Waiting> there) {
        return there.map(waiting -> RegistryCommit.builder()
                        .set(tree.trigger(item), NodeCodec.write(waiting.run().foldedWith(run)), waiting.version()))
                .orElseGet(() -> RegistryCommit.builder().create(tree.trigger(item), NodeCodec.write(run)))
                .build();
    }

    /**
     * Lets a manual run wait for some items, under the epoch.
     *
     * @param last what goes with the last of them: the bell
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

    /** Rings for manual runs; who repeats one finds its id here. */
    RegistryCommit ringForRun(ManualRun run, Optional<RegistryNode> bell) {
        return bell.map(node -> RegistryCommit.builder()
                        .set(
                                tree.triggers(),
                                NodeCodec.writeRunIds(
                                        ManualRun.newest(NodeCodec.readRunIds(node.data()), run.runIds())),
                                node.version()))
                .orElseGet(() -> RegistryCommit.builder().create(tree.triggers(), NodeCodec.writeRunIds(run.runIds())))
                .build();
    }

    /**
     * Without monitoring, who deletes what waits runs it; under the epoch. The record stays as it is, but for its version,
     * by which a repetition finds out that it is one: under the name of what it has deleted there may be another run.
     */
    List<Batch<ItemView>> takeRuns(int epoch, List<ItemView> items) {
        return Batch.cut(Batch.guard(tree.sharding(), epoch), items, item -> {
            RegistryCommit.Builder commit = RegistryCommit.builder();
            if (item.isUnclaimed()) {
                commit.set(tree.item(item.item()), ItemRecordCodec.write(item.current()), item.version());
            }
            return commit.delete(
                            tree.trigger(item.item()),
                            item.waiting().orElseThrow().version())
                    .build();
        });
    }
}
