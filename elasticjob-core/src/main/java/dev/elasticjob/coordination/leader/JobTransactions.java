package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.leader.AheadPlanner.Correction;
import dev.elasticjob.coordination.leader.ReconcilePlanner.Repair;
import dev.elasticjob.coordination.leader.Resharding.Display;
import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemRecordCodec;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.Leaver;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistryNode;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * The leader's steps in the table "The steps" of {@code docs/internals/protocol.md}, each as one transaction. Steps
 * that may grow are split by bytes, and each chunk is safe by itself. Pure.
 */
public record JobTransactions(JobTree tree) {
    // ------------------------------------------------------------------ the assignment

    /**
     * Changes the assignment or the schedule, in one transaction if it fits. If not, the new items come first, then the
     * assignment, which is decisive, then the displayed owners. The request for resharding stays until everything is
     * written.
     *
     * @param processing the node that a refused attempt has left, and that would prevent its creation
     * @param guard belongs to the transaction that is decisive, before all else: its refusal tells who was first, and the
     *     last node that the transaction sets is one of the job's own, by which lost data is noticed
     */
    public List<RegistryCommit> reshard(
            int epoch,
            Resharding plan,
            Optional<RegistryNode> request,
            Optional<RegistryNode> processing,
            RegistryCommit guard) {
        Operation decision = new Operation.Set(tree.sharding(), NodeCodec.write(plan.next()), epoch);
        List<RegistryCommit> created = newItems(plan);
        List<RegistryCommit> shown = displays(plan.displays());
        RegistryCommit.Builder whole = RegistryCommit.builder().addAll(guard).add(decision);
        created.forEach(whole::addAll);
        shown.forEach(whole::addAll);
        request.ifPresent(node -> whole.delete(tree.necessary(), node.version()));
        processing.ifPresent(node -> whole.delete(tree.processing(), RegistryCommit.ANY_VERSION));
        if (whole.build().bytes() <= RegistryCommit.BYTES_OF_PART) {
            return List.of(whole.build());
        }
        List<RegistryCommit> steps = new ArrayList<>(Batch.chunks(Batch.guard(tree.sharding(), epoch), created));
        RegistryCommit.Builder decided = RegistryCommit.builder().addAll(guard).add(decision);
        processing.ifPresent(node -> decided.delete(tree.processing(), RegistryCommit.ANY_VERSION));
        decided.addAll(new ReshardingRequest(tree, request).raisedWithOwnersLeft())
                .createEphemeral(tree.processing(), "");
        steps.add(decided.build());
        shown.add(RegistryCommit.builder()
                .delete(
                        tree.necessary(),
                        request.map(node -> node.version() + 1).orElse(0))
                .delete(tree.processing(), RegistryCommit.ANY_VERSION)
                .build());
        steps.addAll(Batch.chunks(Batch.guard(tree.sharding(), epoch + 1), shown));
        return steps;
    }

    /**
     * Deletes a request for resharding, because the plan doesn't change. The version alone doesn't distinguish the
     * request from a later one, which a repeated transaction would delete unread after a lost answer. So the parent is
     * set too, and the repetition is refused.
     *
     * @param flags the parent as it was read
     */
    public RegistryCommit answerRequest(int epoch, RegistryNode flags, RegistryNode request) {
        return RegistryCommit.builder()
                .check(tree.sharding(), epoch)
                .set(tree.flags(), flags.data(), flags.version())
                .delete(tree.necessary(), request.version())
                .build();
    }

    private List<RegistryCommit> newItems(Resharding plan) {
        List<RegistryCommit> created = new ArrayList<>();
        plan.newItems()
                .forEach((item, first) -> created.add(RegistryCommit.builder()
                        .create(tree.item(item), ItemRecordCodec.write(first))
                        .build()));
        return created;
    }

    private List<RegistryCommit> displays(NavigableMap<Integer, Display> displays) {
        List<RegistryCommit> shown = new ArrayList<>();
        displays.forEach((item, display) -> {
            RegistryCommit.Builder commit = RegistryCommit.builder();
            if (display instanceof Display.Create create) {
                commit.create(tree.owner(item), create.owner());
            } else if (display instanceof Display.Change change) {
                commit.set(tree.owner(item), change.owner(), RegistryCommit.ANY_VERSION);
            } else {
                commit.delete(tree.owner(item), RegistryCommit.ANY_VERSION);
            }
            shown.add(commit.build());
        });
        return shown;
    }

    /**
     * Removes items beyond the total, under the assertion that they don't run; the floor keeps the latest firing that
     * they have seen. As many as fit into one transaction, because each transaction raises the epoch.
     *
     * @param next the assignment in force with its floor raised
     * @param children the nodes below each item as they were read
     */
    public Batch<ItemView> retire(
            int epoch, Assignment next, List<ItemView> items, NavigableMap<String, RegistryNode> children) {
        RegistryCommit raised = RegistryCommit.builder()
                .set(tree.sharding(), NodeCodec.write(next), epoch)
                .build();
        return Batch.cut(raised, items, item -> retire(item, children)).get(0);
    }

    private RegistryCommit retire(ItemView item, NavigableMap<String, RegistryNode> children) {
        RegistryCommit.Builder commit = RegistryCommit.builder();
        children.subMap(tree.item(item.item()) + "/", tree.item(item.item()) + "0")
                .forEach((path, node) -> commit.delete(path, node.version()));
        if (item.waitsForFailover()) {
            commit.delete(tree.failoverItem(item.item()), RegistryCommit.ANY_VERSION);
        }
        return commit.delete(tree.item(item.item()), item.version()).build();
    }

    // ------------------------------------------------------------------ repairs

    /** Deletes the mark of an instance that has left, and for whose successor nobody waits any more. */
    RegistryCommit awaitNoMore(Leaver leaver) {
        return RegistryCommit.builder()
                .delete(tree.drain(leaver.id()), leaver.markVersion())
                .build();
    }

    /** A node without times that are ahead, guarded by the version read: of the plan, that is the epoch. */
    RegistryCommit correct(Correction correction) {
        return RegistryCommit.builder()
                .set(correction.path(), correction.data(), correction.version())
                .build();
    }

    /** One repair of the periodic comparison, guarded by the versions read. */
    RegistryCommit repair(int epoch, Repair repair) {
        RegistryCommit.Builder commit = RegistryCommit.builder();
        if (repair instanceof Repair.SetBack back) {
            ItemView item = back.item();
            byte[] record = ItemRecordCodec.write(item.current().skipped(back.latest(), List.of()));
            commit.check(tree.sharding(), epoch)
                    .assertAbsent(tree.running(item.item()))
                    .set(tree.item(item.item()), record, item.version());
        } else if (repair instanceof Repair.Display display) {
            String path = tree.owner(display.item());
            commit.check(tree.sharding(), epoch)
                    .setOrCreate(path, display.owner(), display.displayed().map(RegistryNode::version));
        } else if (repair instanceof Repair.IdleDrain drain) {
            commit.assertAbsent(tree.instance(drain.id()))
                    .delete(tree.drain(drain.id()), drain.node().version());
        } else if (repair instanceof Repair.Deletion deletion) {
            commit.delete(deletion.path(), deletion.node().version());
        }
        return commit.build();
    }
}
