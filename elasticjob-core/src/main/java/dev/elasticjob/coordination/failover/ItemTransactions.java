package dev.elasticjob.coordination.failover;

import dev.elasticjob.coordination.manual.ManualRunTransactions;
import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.state.ItemRecordCodec;
import dev.elasticjob.coordination.state.StoredDefinition.NodeVersion;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The steps of the protocol that change what items wait for: their claims, orphans and losses, each as one transaction. Pure.
 */
public record ItemTransactions(JobTree tree) {
    /** Claims, takes and skips, under the epoch and the configuration that they were planned from. */
    public <T> List<Batch<T>> claim(Ownership own, List<T> parts, Function<T, ItemChange> change) {
        return Batch.cut(
                readAt(own.epoch(), own.definitionVersion()), parts, part -> item(change.apply(part), own.instance()));
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
        RegistryCommit.Builder commit =
                RegistryCommit.builder().set(tree.item(item), ItemRecordCodec.write(change.next()), view.version());
        if (change instanceof ItemChange.Start) {
            commit.createEphemeral(tree.running(item), instance);
        }
        if (change instanceof ItemChange.ManualClaim claim) {
            commit.addAll(new ManualRunTransactions(tree).takeFirst(item, claim.waiting()));
        }
        if (change instanceof ItemChange.Skip) {
            view.waiting().ifPresent(waiting -> commit.delete(tree.trigger(item), waiting.version()));
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
        if (!(change instanceof ItemChange.Skip) && view.waitsForFailover()) {
            commit.delete(tree.failoverItem(item), RegistryCommit.ANY_VERSION);
        }
        return commit.build();
    }

    /** Brings failover items in line with the records, which tell the truth, at the epoch and versions that were read. */
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
     * Records executions whose locks are gone: absence is asserted, or a living one would be declared dead. Under the
     * epoch at which they were read: an item made anew has its versions again, and is none of them.
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
        if (orphan.failover()) {
            if (orphan.view().waitsForFailover()) {
                commit.delete(tree.failoverItem(item), RegistryCommit.ANY_VERSION);
            }
            commit.create(tree.failoverItem(item));
        }
        return commit.build();
    }

    /**
     * Abandons interrupted executions, under the configuration by which that was decided and the epoch at which they were
     * read. This commit reports the loss, once.
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
