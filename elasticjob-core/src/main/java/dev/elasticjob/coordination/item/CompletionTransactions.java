package dev.elasticjob.coordination.item;

import dev.elasticjob.coordination.run.ManualRunTransactions;
import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.state.ItemRecordCodec;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The protocol's steps that end executions and store checkpoints, each as one transaction. Pure. */
public record CompletionTransactions(JobTree tree) {
    /**
     * Ends executions: sets their records and deletes their locks. The epoch of the claim is checked, because an item
     * that was removed and created again has the same versions, and a repeated request would end its successor.
     */
    public List<Batch<Completion>> complete(List<Completion> completions) {
        return byEpoch(
                completions,
                completion -> completion.claim().epoch(),
                (epoch, seen) -> completeAgain(epoch, Optional.empty(), seen));
    }

    private static <T> List<Batch<T>> byEpoch(
            List<T> parts, Function<T, Integer> epoch, BiFunction<Integer, List<T>, List<Batch<T>>> cut) {
        Map<Integer, List<T>> seen = new TreeMap<>();
        for (T part : parts) {
            seen.computeIfAbsent(epoch.apply(part), any -> new ArrayList<>()).add(part);
        }
        List<Batch<T>> batches = new ArrayList<>();
        seen.forEach((at, those) -> batches.addAll(cut.apply(at, those)));
        return batches;
    }

    /**
     * Ends executions after a refusal or in a new session. The epoch at which the items were read is checked.
     *
     * @param signal the signal of manual runs, if it is raised: an end that deletes no lock triggers no other watch of
     *     the owner
     */
    public List<Batch<Completion>> completeAgain(
            int epoch, Optional<RegistryNode> signal, List<Completion> completions) {
        RegistryCommit.Builder guard = RegistryCommit.builder().check(tree.sharding(), epoch);
        signal.ifPresent(node -> guard.addAll(new ManualRunTransactions(tree).raiseSignal(node)));
        return Batch.cut(guard.build(), completions, this::complete);
    }

    private RegistryCommit complete(Completion completion) {
        ClaimedItem claim = completion.claim();
        RegistryCommit.Builder commit = RegistryCommit.builder()
                .set(tree.item(claim.item()), ItemRecordCodec.write(completion.next()), completion.version());
        if (completion.holdsLock()) {
            commit.delete(tree.running(claim.item()), RegistryCommit.ANY_VERSION);
        }
        if (completion.showsFailover()) {
            commit.delete(tree.failover(claim.item()), RegistryCommit.ANY_VERSION);
        }
        completion.checkpoint().ifPresent(checkpoint -> commit.addAll(write(checkpoint)));
        if (completion.ending() instanceof ExecutionResult.Unclaimed && !completion.isCancelled()) {
            claim.run()
                    .ifPresent(run -> commit.addAll(
                            new ManualRunTransactions(tree).restore(claim.item(), run, completion.waiting())));
        }
        if (completion.signal() == Completion.FailoverSignal.RAISE) {
            commit.create(tree.failoverItem(claim.item()));
        } else if (completion.signal() == Completion.FailoverSignal.REMOVE) {
            commit.delete(tree.failoverItem(claim.item()), RegistryCommit.ANY_VERSION);
        }
        return commit.build();
    }

    /**
     * Writes checkpoints, each only while the record is the one that the claim wrote. The epoch is checked for the
     * reason given at {@link #complete(List)}.
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

    /**
     * Deletes the lock of a superseded execution. The epoch and the record are checked, so that a repeated request
     * can't delete the lock of a later claim.
     */
    public RegistryCommit unlock(int epoch, ClaimedItem claim, ItemView read) {
        RegistryCommit.Builder commit = RegistryCommit.builder()
                .check(tree.sharding(), epoch)
                .check(tree.item(claim.item()), read.version())
                .delete(tree.running(claim.item()), RegistryCommit.ANY_VERSION);
        if (claim.taken() && read.children().failover()) {
            commit.delete(tree.failover(claim.item()), RegistryCommit.ANY_VERSION);
        }
        return commit.build();
    }
}
