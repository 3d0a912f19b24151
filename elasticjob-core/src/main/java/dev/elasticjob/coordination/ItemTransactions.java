package dev.elasticjob.coordination;

import dev.elasticjob.coordination.StoredDefinition.NodeVersion;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;

/**
 * The steps of the protocol that concern items: their claims, ends, locks and losses, each as one transaction. Pure.
 *
 * @see JobTransactions
 */
record ItemTransactions(JobTree tree) {
    /** Claims, takes and skips, under the epoch and the configuration that they were planned from. */
    List<Batch<ItemChange>> claim(Ownership own, List<ItemChange> changes) {
        return Batch.cut(readAt(own.epoch(), own.definitionVersion()), changes, change -> item(change, own.instance()));
    }

    private RegistryCommit item(ItemChange change, String instance) {
        int item = change.item();
        ItemView view = change.view();
        if (change instanceof ItemChange.Silence) {
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

    /**
     * Ends executions: their records say how, their locks go. Under a check of the epoch at which they were claimed: an
     * item that is removed and made anew meanwhile has the same versions again, and a repetition would end its successor.
     */
    List<Batch<Settlement>> settle(List<Settlement> settlements) {
        return byEpoch(
                settlements,
                settlement -> settlement.claim().epoch(),
                (epoch, seen) -> settleAgain(epoch, Optional.empty(), seen));
    }

    private static <T> List<Batch<T>> byEpoch(
            List<T> parts, ToIntFunction<T> epoch, BiFunction<Integer, List<T>, List<Batch<T>>> cut) {
        NavigableMap<Integer, List<T>> seen = new TreeMap<>();
        parts.forEach(part -> seen.computeIfAbsent(epoch.applyAsInt(part), any -> new ArrayList<>())
                .add(part));
        return seen.entrySet().stream()
                .flatMap(known -> cut.apply(known.getKey(), known.getValue()).stream())
                .toList();
    }

    /**
     * The same after a refusal, or in a new session: under a check of the epoch at which the items were read.
     *
     * @param bell of manual runs, where it is to ring: for an end that deletes no lock, by which its owner would hear of it
     */
    List<Batch<Settlement>> settleAgain(int epoch, Optional<RegistryNode> bell, List<Settlement> settlements) {
        RegistryCommit.Builder guard = RegistryCommit.builder().check(tree.sharding(), epoch);
        bell.ifPresent(node -> guard.addAll(new ManualRunTransactions(tree).ring(node)));
        return Batch.cut(guard.build(), settlements, this::settle);
    }

    private RegistryCommit settle(Settlement settlement) {
        ClaimedItem claim = settlement.claim();
        RegistryCommit.Builder commit = RegistryCommit.builder()
                .set(tree.item(claim.item()), ItemRecordCodec.write(settlement.next()), settlement.version());
        if (settlement.holdsLock()) {
            commit.delete(tree.running(claim.item()), RegistryCommit.ANY_VERSION);
        }
        if (settlement.showsFailover()) {
            commit.delete(tree.failover(claim.item()), RegistryCommit.ANY_VERSION);
        }
        settlement.checkpoint().ifPresent(checkpoint -> commit.addAll(write(checkpoint)));
        settlement
                .owed()
                .ifPresent(owed -> commit.addAll(
                        new ManualRunTransactions(tree).restore(claim.item(), owed.run(), owed.meanwhile())));
        if (settlement.bell() == Settlement.Bell.RING) {
            commit.create(tree.failoverItem(claim.item()));
        } else if (settlement.bell() == Settlement.Bell.REMOVE) {
            commit.delete(tree.failoverItem(claim.item()), RegistryCommit.ANY_VERSION);
        }
        return commit.build();
    }

    /**
     * Writes how far executions have come, each only while its record is the one that its claim wrote. Under the epoch at
     * which that was seen, for the reason given at {@link #settle(List)}.
     */
    List<Batch<Checkpoint>> checkpoint(List<Checkpoint> checkpoints) {
        return byEpoch(
                checkpoints,
                Checkpoint::epoch,
                (epoch, seen) -> Batch.cut(Batch.guard(tree.sharding(), epoch), seen, this::checkpoint));
    }

    private RegistryCommit checkpoint(Checkpoint checkpoint) {
        ClaimedItem claim = checkpoint.claim();
        return RegistryCommit.builder()
                .check(tree.item(claim.item()), claim.version())
                .addAll(write(checkpoint))
                .build();
    }

    private RegistryCommit write(Checkpoint checkpoint) {
        String path = tree.checkpoint(checkpoint.claim().item());
        RegistryCommit.Builder commit = RegistryCommit.builder();
        return (checkpoint.overwrites()
                        ? commit.set(path, checkpoint.text(), RegistryCommit.ANY_VERSION)
                        : commit.create(path, checkpoint.text()))
                .build();
    }

    /** Brings failover items in line with the records, which tell the truth, at the epoch and versions that were read. */
    List<RegistryCommit> bells(int epoch, List<ItemChange.Silence> silences, List<ItemView> unheard) {
        List<RegistryCommit> parts = new ArrayList<>();
        silences.forEach(silence -> parts.add(item(silence, "")));
        unheard.forEach(item -> parts.add(RegistryCommit.builder()
                .check(tree.item(item.item()), item.version())
                .create(tree.failoverItem(item.item()))
                .build()));
        return Batch.chunks(Batch.guard(tree.sharding(), epoch), parts);
    }

    /**
     * Shows that firings have met running items: only while the records say those very executions.
     *
     * @param versions of the records, by item
     */
    List<Batch<Map.Entry<Integer, Integer>>> markMisfires(NavigableMap<Integer, Integer> versions) {
        return Batch.cut(
                RegistryCommit.builder().build(),
                List.copyOf(versions.entrySet()),
                item -> RegistryCommit.builder()
                        .check(tree.item(item.getKey()), item.getValue())
                        .create(tree.misfire(item.getKey()))
                        .build());
    }

    // ------------------------------------------------------------------ locks

    /**
     * Gives up the lock of an execution that somebody has superseded. The epoch and the record are checked: sent again
     * after a lost answer, it must not unlock whoever has claimed the item since.
     */
    RegistryCommit unlock(int epoch, ClaimedItem claim, ItemView read) {
        RegistryCommit.Builder commit = RegistryCommit.builder()
                .check(tree.sharding(), epoch)
                .check(tree.item(claim.item()), read.version())
                .delete(tree.running(claim.item()), RegistryCommit.ANY_VERSION);
        if (claim.taken() && read.children().failover()) {
            commit.delete(tree.failover(claim.item()), RegistryCommit.ANY_VERSION);
        }
        return commit.build();
    }

    /**
     * Records executions whose locks are gone: absence is asserted, or a living one would be declared dead. Under the
     * epoch at which they were read: an item made anew has its versions again, and is none of them.
     */
    List<Batch<ItemChange.Orphan>> recordOrphans(int epoch, List<ItemChange.Orphan> orphans) {
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
     * Gives up interrupted executions, under the configuration that says so and the epoch at which they were read: the
     * loss is said by this commit, once.
     */
    List<Batch<ItemChange.Drop>> drop(int epoch, NodeVersion definition, List<ItemChange.Drop> drops) {
        return Batch.cut(readAt(epoch, definition), drops, drop -> item(drop, ""));
    }

    // ------------------------------------------------------------------ guards

    private RegistryCommit readAt(int epoch, NodeVersion definition) {
        return RegistryCommit.builder()
                .check(tree.sharding(), epoch)
                .addAll(definition.check())
                .build();
    }
}
