package dev.elasticjob.coordination.item;

import dev.elasticjob.coordination.run.ManualRunTransactions;
import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.state.ItemRecordCodec;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.StoredDefinition.NodeVersion;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The protocol's steps that claim, skip, abandon and signal items, each as one transaction. Pure. */
public record ItemTransactions(JobTree tree) {
    /** Claims, takes and skips items, under the epoch and the configuration from which they were planned. */
    public <T> List<Batch<T>> claim(Ownership own, List<T> parts, Function<T, ItemChange> change) {
        return claim(own, RegistryCommit.builder().build(), parts, change);
    }

    /** @param firings guards or changes the open firings, where the job has any */
    public <T> List<Batch<T>> claim(
            Ownership own, RegistryCommit firings, List<T> parts, Function<T, ItemChange> change) {
        RegistryCommit guard =
                RegistryCommit.builder().addAll(own.guard(tree)).addAll(firings).build();
        return Batch.cut(guard, parts, part -> item(change.apply(part), own.instance()));
    }

    private RegistryCommit item(ItemChange change, String instance) {
        int item = change.item();
        ItemView view = change.view();
        if (change instanceof ItemChange.StaleSignal) {
            return RegistryCommit.builder()
                    .check(tree.item(item), view.version())
                    .delete(tree.failoverItem(item), RegistryCommit.ANY_VERSION)
                    .build();
        }
        if (change instanceof ItemChange.OldOffers) {
            RegistryCommit.Builder old = RegistryCommit.builder().check(tree.item(item), view.version());
            view.offers().forEach(name -> old.delete(tree.offer(name), RegistryCommit.ANY_VERSION));
            return old.build();
        }
        RegistryCommit.Builder commit =
                RegistryCommit.builder().set(tree.item(item), ItemRecordCodec.write(change.next()), view.version());
        if (change instanceof ItemChange.Start) {
            commit.createEphemeral(tree.running(item), instance);
            view.offers().forEach(name -> commit.delete(tree.offer(name), RegistryCommit.ANY_VERSION));
        }
        if (change instanceof ItemChange.ManualClaim claim) {
            commit.addAll(new ManualRunTransactions(tree).takeFirst(item, claim.waiting()));
        }
        if (change instanceof ItemChange.Pass pass) {
            commit.addAll(skipped(view, pass.runs()));
        }
        if (change instanceof ItemChange.Claim && view.children().misfire()) {
            commit.delete(tree.misfire(item), RegistryCommit.ANY_VERSION);
        }
        if (change instanceof ItemChange.Take) {
            if (view.children().failover()) {
                commit.delete(tree.failover(item), RegistryCommit.ANY_VERSION);
            }
            commit.createEphemeral(tree.failover(item), instance);
        }
        if (!change.passes() && view.waitsForFailover()) {
            commit.delete(tree.failoverItem(item), RegistryCommit.ANY_VERSION);
        }
        return commit.build();
    }

    private RegistryCommit skipped(ItemView view, ItemChange.SkippedRuns runs) {
        RegistryCommit.Builder commit = RegistryCommit.builder();
        if (!runs.runIds().isEmpty()) {
            String path = tree.trigger(view.item());
            int version = view.waiting().orElseThrow().version();
            runs.left()
                    .ifPresentOrElse(
                            left -> commit.set(path, NodeCodec.write(left), version),
                            () -> commit.delete(path, version));
        }
        return commit.build();
    }

    /** Adapts failover signals to the records, which are authoritative, at the epoch and versions read. */
    public List<RegistryCommit> signals(
            int epoch, List<ItemChange.StaleSignal> staleSignals, List<ItemView> unsignalled) {
        List<RegistryCommit> parts = new ArrayList<>();
        staleSignals.forEach(stale -> parts.add(item(stale, "")));
        unsignalled.forEach(item -> parts.add(RegistryCommit.builder()
                .check(tree.item(item.item()), item.version())
                .create(tree.failoverItem(item.item()))
                .build()));
        return Batch.chunks(Batch.guard(tree.sharding(), epoch), parts);
    }

    /**
     * Records executions whose locks are gone. The absence of the lock is asserted, because otherwise a living
     * execution could be declared dead. The epoch is checked, because an item that was removed and created again has
     * the same versions.
     */
    public List<Batch<ItemChange.Orphan>> recordOrphans(int epoch, List<ItemChange.Orphan> orphans) {
        return Batch.cut(Batch.guard(tree.sharding(), epoch), orphans, this::recordOrphan);
    }

    private RegistryCommit recordOrphan(ItemChange.Orphan orphan) {
        int item = orphan.item();
        RegistryCommit.Builder commit = RegistryCommit.builder()
                .assertAbsent(tree.running(item))
                .set(
                        tree.item(item),
                        ItemRecordCodec.write(orphan.next()),
                        orphan.view().version());
        if (orphan.failover() && orphan.view().waitsForFailover()) {
            commit.delete(tree.failoverItem(item), RegistryCommit.ANY_VERSION);
        }
        if (orphan.isRepeated()) {
            commit.create(tree.failoverItem(item));
        }
        return commit.build();
    }

    /**
     * Abandons interrupted executions, under the configuration and the epoch from which this was decided. After the
     * commit, the loss is reported once.
     */
    public List<Batch<ItemChange.Abandon>> abandon(
            int epoch, NodeVersion definition, List<ItemChange.Abandon> abandoned) {
        return Batch.cut(readAt(epoch, definition), abandoned, abandon -> item(abandon, ""));
    }

    // ------------------------------------------------------------------ guards

    private RegistryCommit readAt(int epoch, NodeVersion definition) {
        return RegistryCommit.builder()
                .check(tree.sharding(), epoch)
                .addAll(definition.check())
                .build();
    }
}
