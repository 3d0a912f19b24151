package dev.elasticjob.coordination.firing;

import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.state.ItemRecordCodec;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.OpenFirings;
import dev.elasticjob.coordination.state.StoredDefinition.NodeVersion;
import dev.elasticjob.coordination.view.FiringsView;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import java.util.List;
import java.util.Optional;

/**
 * The steps of {@code docs/internals/protocol-firings.md} that open, hook and end firings, each as one transaction. All of
 * them set the node of the open firings at the version read, so a repetition is refused. Pure.
 */
public record FiringTransactions(JobTree tree) {
    /** Changes the open firings. */
    public RegistryCommit change(FiringsView read, OpenFirings next) {
        return RegistryCommit.builder()
                .setOrCreate(tree.firings(), NodeCodec.write(next), read.version())
                .build();
    }

    /** The same by an instance that locks the hook of one of them. Refused while another instance has that lock. */
    RegistryCommit changeAndLock(FiringsView read, OpenFirings next, OpenFiring locked, String instance) {
        return RegistryCommit.builder()
                .addAll(change(read, next))
                .createEphemeral(tree.firingLock(locked.id()), instance)
                .build();
    }

    /** The same by the instance that holds the lock. */
    RegistryCommit changeAndUnlock(FiringsView read, OpenFirings next, OpenFiring locked) {
        return RegistryCommit.builder()
                .addAll(change(read, next))
                .delete(tree.firingLock(locked.id()), RegistryCommit.ANY_VERSION)
                .build();
    }

    /**
     * Marks interrupted executions as those of a firing that was opened after they had been claimed, while it is open. As
     * many as fit into a transaction.
     */
    public RegistryCommit mark(int epoch, FiringsView read, List<ItemView> interrupted) {
        RegistryCommit guard = RegistryCommit.builder()
                .check(tree.sharding(), epoch)
                .addAll(read.check(tree))
                .build();
        return Batch.cut(guard, interrupted, this::mark).get(0).commit();
    }

    private RegistryCommit mark(ItemView interrupted) {
        byte[] record = ItemRecordCodec.write(interrupted.current().ofOpenFiring());
        return RegistryCommit.builder()
                .set(tree.item(interrupted.item()), record, interrupted.version())
                .build();
    }

    /**
     * Ends a firing that all items have ended, under the epoch and the configuration at which that was seen.
     *
     * @param definition empty where the ends don't depend on it any more, because they were read under it before
     * @param locked whether this instance holds the lock of its hook
     * @param further what is written with the end, such as the entries of followers: both or neither
     */
    public RegistryCommit end(
            int epoch,
            Optional<NodeVersion> definition,
            FiringsView read,
            OpenFiring ended,
            boolean locked,
            List<Operation> further) {
        RegistryCommit.Builder commit = RegistryCommit.builder().check(tree.sharding(), epoch);
        definition.ifPresent(version -> commit.addAll(version.check()));
        commit.addAll(
                locked
                        ? changeAndUnlock(read, read.value().without(ended.id()), ended)
                        : change(read, read.value().without(ended.id())));
        further.forEach(commit::add);
        return commit.build();
    }
}
