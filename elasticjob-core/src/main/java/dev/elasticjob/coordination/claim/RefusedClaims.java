package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.claim.ItemPlanner.ItemPlan;
import dev.elasticjob.coordination.failover.ItemChange;
import dev.elasticjob.coordination.failover.ItemChange.Start;
import dev.elasticjob.coordination.session.Batch;
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
 * Claims that were refused, and may have been carried out all the same by an earlier sending whose answer was lost. Each
 * is kept until a look at its items has decided, however often the connection is lost before: what is ours would stay
 * locked otherwise, by nobody.
 *
 * <p>Confined to the coordination executor.
 */
final class RefusedClaims {
    private final List<Refused> open = new ArrayList<>();

    /** A refused transaction, and what it was made from. */
    record Refused(Ownership own, ItemPlan plan, Batch<ItemChange> batch) {
        List<Integer> items() {
            return batch.parts().stream().map(ItemChange::item).toList();
        }
    }

    /**
     * What became of it.
     *
     * @param ours the items that are claimed, with their tokens
     * @param carriedOut what else was done: it is to be told
     * @param left the items that nothing has come of
     */
    record Decision(Map<Start, Long> ours, List<ItemChange> carriedOut, Set<Integer> left) {}

    Refused add(Ownership own, ItemPlan plan, Batch<ItemChange> batch) {
        Refused refused = new Refused(own, plan, batch);
        open.add(refused);
        return refused;
    }

    /** Whether anything is still to be decided, as far as is known without a session. */
    boolean isEmpty() {
        return open.isEmpty();
    }

    /** One that is still to be decided; what was sent in another session is nobody's any more. */
    Optional<Refused> first(RegistrySession session) {
        open.removeIf(refused -> refused.own().session().id() != session.id());
        return open.stream().findFirst();
    }

    /**
     * Ours is what our session has locked, with the very record that the claim would have written. A drop names who has
     * decided it; only the owner skips, and who that is does not change within an epoch.
     */
    Decision decide(Refused refused, ItemsView view) {
        open.remove(refused);
        Map<Start, Long> ours = new LinkedHashMap<>();
        List<ItemChange> carriedOut = new ArrayList<>();
        Set<Integer> left = new TreeSet<>();
        for (ItemChange change : refused.batch().parts()) {
            RegistryNode lock = view.locks().get(change.item());
            boolean stands = change.standsIn(view.items().get(change.item()));
            if (change instanceof Start start
                    && stands
                    && lock != null
                    && refused.own().session().owns(lock)) {
                ours.put(start, lock.czxid());
            } else if (stands && isOursAlone(change, refused.own(), view)) {
                carriedOut.add(change);
            } else {
                left.add(change.item());
            }
        }
        return new Decision(ours, carriedOut, left);
    }

    private static boolean isOursAlone(ItemChange change, Ownership own, ItemsView view) {
        return change instanceof ItemChange.Drop || (change instanceof ItemChange.Skip && view.epoch() == own.epoch());
    }
}
