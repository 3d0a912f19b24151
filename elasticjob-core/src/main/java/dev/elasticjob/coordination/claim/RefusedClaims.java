package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.claim.ItemDecision.Commit;
import dev.elasticjob.coordination.item.ItemChange;
import dev.elasticjob.coordination.item.ItemChange.Start;
import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.Fencing;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistrySession;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Refused claims, which an earlier request may have committed although its answer was lost. Each is kept until its
 * items were read, however often the connection is lost before: otherwise, this instance could hold a lock without
 * knowing it.
 *
 * <p>Confined to the coordination executor.
 */
final class RefusedClaims {
    private final List<Refused> open = new ArrayList<>();

    /** A refused transaction, and what it was planned from. */
    record Refused(Ownership own, Batch<Commit> batch, Fencing fencing) {
        List<Integer> items() {
            return batch.parts().stream().map(Commit::item).toList();
        }
    }

    /**
     * The parts that were committed.
     *
     * @param ours claims of this instance, with their tokens
     * @param carriedOut other committed changes of this instance
     * @param left the items that were not changed
     */
    record Decision(Map<Commit, Long> ours, List<Commit> carriedOut, Set<Integer> left) {
        /** Whether one of the claims was cancelled. */
        boolean isCancelled(ItemsView view) {
            return ours.keySet().stream().anyMatch(commit -> wasCancelled(commit.change(), view));
        }
    }

    Refused add(Ownership own, Batch<Commit> batch, Fencing fencing) {
        Refused refused = new Refused(own, batch, fencing);
        open.add(refused);
        return refused;
    }

    /** Whether no claim is undecided, as far as is known without a session. */
    boolean isEmpty() {
        return open.isEmpty();
    }

    /** Whether the claim is undecided, as far as is known without a session. */
    boolean contains(Commit commit) {
        return open.stream().anyMatch(refused -> refused.batch().parts().contains(commit));
    }

    /**
     * An undecided claim of the session. Those of other sessions are forgotten, because their locks disappear with
     * them.
     */
    Optional<Refused> first(RegistrySession session) {
        if (open.isEmpty()) {
            return Optional.empty();
        }
        List<Refused> over = open.stream()
                .filter(refused -> refused.own().session().id() != session.id())
                .toList();
        open.removeAll(over);
        over.forEach(refused ->
                refused.batch().parts().forEach(commit -> commit.room().close()));
        return open.stream().findFirst();
    }

    /**
     * An item belongs to this instance if its session has locked it, and the record is the one that the claim would
     * have written. An abandoned execution's record names the instance that decided it, and so does the record of an
     * item that has passed a firing. Only the owner skips, and the owner doesn't change within an epoch.
     */
    Decision decide(Refused refused, ItemsView view) {
        open.remove(refused);
        Map<Commit, Long> ours = new LinkedHashMap<>();
        List<Commit> carriedOut = new ArrayList<>();
        Set<Integer> left = new TreeSet<>();
        for (Commit commit : refused.batch().parts()) {
            ItemChange change = commit.change();
            RegistryNode lock = view.locks().get(change.item());
            boolean stands = change.standsIn(view.items().get(change.item()));
            if (change instanceof Start
                    && (stands || wasCancelled(change, view))
                    && lock != null
                    && refused.own().session().owns(lock)) {
                ours.put(commit, lock.czxid());
            } else if (stands && isOursAlone(change, refused.own(), view)) {
                carriedOut.add(commit);
            } else {
                left.add(change.item());
                commit.room().close();
            }
        }
        return new Decision(ours, carriedOut, left);
    }

    /** An operator may have written a cancellation into the record since. It is the only write that leaves the lock. */
    private static boolean wasCancelled(ItemChange change, ItemsView view) {
        ItemView now = view.items().get(change.item());
        return now != null
                && now.isReadable()
                && now.current().cancelled() != null
                && now.current().state() == ItemState.RUNNING
                && now.current().isSameExecution(change.next());
    }

    private static boolean isOursAlone(ItemChange change, Ownership own, ItemsView view) {
        return change instanceof ItemChange.Abandon
                || (change.passes() && view.epoch() == own.epoch())
                || (change instanceof ItemChange.Pass pass && pass.namesItsInstance());
    }
}
