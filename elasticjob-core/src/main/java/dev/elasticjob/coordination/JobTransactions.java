package dev.elasticjob.coordination;

import dev.elasticjob.coordination.Resharding.Display;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistryNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The steps of the protocol, each as one transaction: the table "The steps" of {@code docs/protocol.md}, in code. Pure.
 * Transactions that may grow are cut by bytes, each chunk safe by itself.
 */
record JobTransactions(JobTree tree) {
    private static final RegistryCommit NO_GUARD = RegistryCommit.builder().build();

    // ------------------------------------------------------------------ items

    /** Claims, takes and skips, under the epoch and the configuration that they were planned from. */
    List<Batch<ItemChange>> claim(Ownership own, List<ItemChange> changes) {
        RegistryCommit guard = RegistryCommit.builder()
                .check(tree.sharding(), own.epoch())
                .check(tree.config(), own.configVersion())
                .build();
        return Batch.cut(guard, changes, change -> item(change, own.instance()));
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
                RegistryCommit.builder().set(tree.item(item), NodeCodec.write(change.next()), view.version());
        if (change instanceof ItemChange.Start) {
            commit.createEphemeral(tree.running(item), instance);
        }
        if (change instanceof ItemChange.ManualClaim || change instanceof ItemChange.Skip) {
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
        NavigableMap<Integer, List<Settlement>> byEpoch = new TreeMap<>();
        settlements.forEach(
                settlement -> byEpoch.computeIfAbsent(settlement.claim().epoch(), any -> new ArrayList<>())
                        .add(settlement));
        return byEpoch.entrySet().stream()
                .flatMap(claimed -> settleAgain(claimed.getKey(), claimed.getValue()).stream())
                .toList();
    }

    /** The same after a refusal, or in a new session: under a check of the epoch at which the items were read. */
    List<Batch<Settlement>> settleAgain(int epoch, List<Settlement> settlements) {
        return Batch.cut(check(tree.sharding(), epoch), settlements, this::settle);
    }

    private RegistryCommit settle(Settlement settlement) {
        ClaimedItem claim = settlement.claim();
        RegistryCommit.Builder commit = RegistryCommit.builder()
                .set(tree.item(claim.item()), NodeCodec.write(settlement.next()), settlement.version());
        if (settlement.holdsLock()) {
            commit.delete(tree.running(claim.item()), RegistryCommit.ANY_VERSION);
        }
        if (settlement.showsFailover()) {
            commit.delete(tree.failover(claim.item()), RegistryCommit.ANY_VERSION);
        }
        settlement.owed().ifPresent(owed -> commit.addAll(ask(claim.item(), owed.run(), owed.meanwhile())));
        if (settlement.bell() == Settlement.Bell.RING) {
            commit.create(tree.failoverItem(claim.item()));
        } else if (settlement.bell() == Settlement.Bell.REMOVE) {
            commit.delete(tree.failoverItem(claim.item()), RegistryCommit.ANY_VERSION);
        }
        return commit.build();
    }

    /** Brings failover items in line with the records, which tell the truth, at the versions that were read. */
    List<RegistryCommit> bells(List<ItemChange.Silence> silences, List<ItemView> unheard) {
        List<RegistryCommit> parts = new ArrayList<>();
        silences.forEach(silence -> parts.add(item(silence, "")));
        unheard.forEach(item -> parts.add(RegistryCommit.builder()
                .check(tree.item(item.item()), item.version())
                .create(tree.failoverItem(item.item()))
                .build()));
        return chunks(NO_GUARD, parts);
    }

    /** One repair of a reconcile round, guarded by what it was found by. */
    RegistryCommit repair(int epoch, Repair repair) {
        RegistryCommit.Builder commit = RegistryCommit.builder();
        if (repair instanceof Repair.FutureRecord future) {
            int item = future.item().item();
            byte[] reset = NodeCodec.write(future.item().current().skipped(future.latest()));
            commit.assertAbsent(tree.running(item))
                    .set(tree.item(item), reset, future.item().version());
        } else if (repair instanceof Repair.WrongDisplay display) {
            String path = tree.owner(display.item());
            commit.check(tree.sharding(), epoch);
            display.version()
                    .ifPresentOrElse(
                            version -> commit.set(path, display.owner(), version),
                            () -> commit.create(path, display.owner()));
        } else if (repair instanceof Repair.UnownedInstance instance) {
            commit.delete(tree.instance(instance.id()), instance.version());
        } else if (repair instanceof Repair.LeftDrain drain) {
            commit.delete(tree.drain(drain.id()), drain.version());
        } else if (repair instanceof Repair.IdleServer server) {
            commit.delete(tree.server(server.ip()), server.version());
        }
        return commit.build();
    }

    // ------------------------------------------------------------------ manual runs

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
        RegistryCommit guard = check(tree.sharding(), epoch);
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
        return Batch.cut(check(tree.sharding(), epoch), items, item -> {
            RegistryCommit.Builder commit = RegistryCommit.builder();
            if (item.isUnclaimed()) {
                commit.set(tree.item(item.item()), NodeCodec.write(item.current()), item.version());
            }
            return commit.delete(
                            tree.trigger(item.item()),
                            item.waiting().orElseThrow().version())
                    .build();
        });
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

    /** Records executions whose locks are gone: absence is asserted, or a living one would be declared dead. */
    List<Batch<ItemChange.Orphan>> recordOrphans(List<ItemChange.Orphan> orphans) {
        return Batch.cut(NO_GUARD, orphans, this::recordOrphan);
    }

    private RegistryCommit recordOrphan(ItemChange.Orphan orphan) {
        int item = orphan.item();
        RegistryCommit.Builder commit = RegistryCommit.builder()
                .assertAbsent(tree.running(item))
                .set(
                        tree.item(item),
                        NodeCodec.write(orphan.next()),
                        orphan.view().version());
        if (orphan.failover()) {
            if (orphan.view().waitsForFailover()) {
                commit.delete(tree.failoverItem(item), RegistryCommit.ANY_VERSION);
            }
            commit.create(tree.failoverItem(item));
        }
        return commit.build();
    }

    /** Gives up interrupted executions, under the configuration that says so: the loss is said by this commit, once. */
    List<Batch<ItemChange.Drop>> drop(int configVersion, List<ItemChange.Drop> drops) {
        return Batch.cut(check(tree.config(), configVersion), drops, drop -> item(drop, ""));
    }

    // ------------------------------------------------------------------ the assignment

    /**
     * A change of assignment or schedule. In one transaction where it fits: else the new items first, then the
     * assignment itself, which decides, then the rest of what operators' tools are shown; the bell rings until all is
     * written.
     *
     * @param processing what an earlier attempt has left, which would stand in the way
     */
    List<RegistryCommit> reshard(
            int epoch, Resharding plan, Optional<RegistryNode> bell, Optional<RegistryNode> processing) {
        Operation decision = new Operation.Set(tree.sharding(), NodeCodec.write(plan.next()), epoch);
        List<RegistryCommit> created = newItems(plan);
        List<RegistryCommit> shown = displays(plan.displays());
        RegistryCommit.Builder whole = RegistryCommit.builder().add(decision);
        created.forEach(whole::addAll);
        shown.forEach(whole::addAll);
        bell.ifPresent(node -> whole.delete(tree.necessary(), node.version()));
        processing.ifPresent(node -> whole.delete(tree.processing(), RegistryCommit.ANY_VERSION));
        if (whole.build().bytes() <= Batch.MAX_BYTES) {
            return List.of(whole.build());
        }
        List<RegistryCommit> steps = new ArrayList<>(chunks(check(tree.sharding(), epoch), created));
        RegistryCommit.Builder decided = RegistryCommit.builder().add(decision);
        processing.ifPresent(node -> decided.delete(tree.processing(), RegistryCommit.ANY_VERSION));
        ring(decided, bell).createEphemeral(tree.processing(), "");
        steps.add(decided.build());
        steps.addAll(chunks(check(tree.sharding(), epoch + 1), shown));
        int ringing = bell.map(node -> node.version() + 1).orElse(0);
        RegistryCommit last = steps.remove(steps.size() - 1);
        steps.add(RegistryCommit.builder()
                .addAll(last)
                .delete(tree.necessary(), ringing)
                .delete(tree.processing(), RegistryCommit.ANY_VERSION)
                .build());
        return steps;
    }

    /**
     * Nothing differs: the bell is answered. Its version alone would not tell it from one that was made anew, so that
     * the repetition of a transaction whose answer was lost would silence a ring that nobody has heard: its parent is
     * set, and the repetition refused.
     *
     * @param flags the parent, as it was read
     */
    RegistryCommit answerBell(int epoch, RegistryNode flags, RegistryNode bell) {
        return RegistryCommit.builder()
                .check(tree.sharding(), epoch)
                .set(tree.flags(), flags.data(), flags.version())
                .delete(tree.necessary(), bell.version())
                .build();
    }

    private List<RegistryCommit> newItems(Resharding plan) {
        List<RegistryCommit> created = new ArrayList<>();
        plan.newItems()
                .forEach((item, first) -> created.add(RegistryCommit.builder()
                        .create(tree.item(item), NodeCodec.write(first))
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
     * Removes items beyond the total that don't run, which is asserted; the floor keeps what they have seen.
     *
     * @param next the assignment in force with its floor raised
     * @param children the nodes below each item, as they were read
     */
    RegistryCommit retire(
            int epoch, Assignment next, List<ItemView> items, NavigableMap<String, RegistryNode> children) {
        RegistryCommit.Builder commit = RegistryCommit.builder().set(tree.sharding(), NodeCodec.write(next), epoch);
        for (ItemView item : items) {
            children.subMap(tree.item(item.item()) + "/", tree.item(item.item()) + "0")
                    .forEach((path, node) -> commit.delete(path, node.version()));
            if (item.waitsForFailover()) {
                commit.delete(tree.failoverItem(item.item()), RegistryCommit.ANY_VERSION);
            }
            commit.delete(tree.item(item.item()), item.version());
        }
        return commit.build();
    }

    /** Rings the bell: the leader plans again. */
    RegistryCommit ring(Optional<RegistryNode> bell) {
        return ring(RegistryCommit.builder(), bell).build();
    }

    private RegistryCommit.Builder ring(RegistryCommit.Builder commit, Optional<RegistryNode> bell) {
        return bell.isPresent()
                ? commit.set(tree.necessary(), "", bell.get().version())
                : commit.create(tree.necessary());
    }

    // ------------------------------------------------------------------ leaving

    /**
     * Leaves: what is ours is deleted, and the bell rings, unless the job has been removed. Sent again, it must not
     * delete what has been made anew under the same names: so the parent of the instances is set.
     *
     * @param instances the parent, as it was read
     * @param ours the nodes of our session
     */
    RegistryCommit leave(RegistryNode instances, Map<String, RegistryNode> ours, Optional<RegistryCommit> bell) {
        RegistryCommit.Builder commit =
                RegistryCommit.builder().set(tree.instances(), instances.data(), instances.version());
        ours.forEach((path, node) -> commit.delete(path, node.version()));
        bell.ifPresent(commit::addAll);
        return commit.build();
    }

    /**
     * An instance that gives its items away, and rings for a new plan.
     *
     * @param instance its node
     * @param drain the one of an earlier instance of this id, if it has left one
     */
    RegistryCommit drain(
            String id,
            RegistryNode instance,
            RegistryNode config,
            Optional<RegistryNode> drain,
            Optional<RegistryNode> necessary) {
        String text = NodeCodec.drain(instance);
        RegistryCommit.Builder commit = RegistryCommit.builder()
                .check(tree.instance(id), instance.version())
                .check(tree.config(), config.version());
        drain.ifPresentOrElse(
                node -> commit.set(tree.drain(id), text, node.version()), () -> commit.create(tree.drain(id), text));
        return commit.addAll(ring(necessary)).build();
    }

    // ------------------------------------------------------------------ cutting

    private static RegistryCommit check(String path, int version) {
        return RegistryCommit.builder().check(path, version).build();
    }

    private static List<RegistryCommit> chunks(RegistryCommit guard, List<RegistryCommit> parts) {
        return Batch.cut(guard, parts, part -> part).stream().map(Batch::commit).toList();
    }
}
