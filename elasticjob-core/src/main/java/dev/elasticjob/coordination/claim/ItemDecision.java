package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.failover.ItemChange;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.job.event.JobEvent;
import java.time.Duration;
import java.util.List;

/** What is done with one item, as decided from one read of it. */
sealed interface ItemDecision {
    ItemDecision NOTHING = new Nothing();
    ItemDecision AWAIT_SLOT = new AwaitSlot();
    ItemDecision LEAVE_TO_OTHERS = new LeaveToOthers();

    /** The item is not due, or its record can't be used. */
    record Nothing() implements ItemDecision {}

    /**
     * A change is committed.
     *
     * @param losses reported once it is committed
     */
    record Commit(ItemChange change, List<JobEvent> losses) implements ItemDecision {
        int item() {
            return change.item();
        }
    }

    /** The item's instance is gone. This is recorded first, in a transaction of its own; then the item is read again. */
    record RecordOrphan(ItemChange.Orphan orphan) implements ItemDecision {}

    /**
     * Another execution has the lock.
     *
     * @param misfired whether a firing has met it that is not displayed yet
     */
    record AwaitUnlock(ItemView view, boolean misfired) implements ItemDecision {}

    /** The item is interrupted, and an operator has disabled it. */
    record AwaitEnabled(int item) implements ItemDecision {}

    /** The item has crashed again and again. */
    record AwaitPause(int item, Duration left) implements ItemDecision {}

    /** The item is interrupted, and no execution could begin here at once. */
    record AwaitSlot() implements ItemDecision {}

    /** This machine's clock is too far from the registry's to claim the firing. */
    record LeaveToOthers() implements ItemDecision {}

    /** The decisions of one kind. */
    static <D extends ItemDecision> List<D> only(Class<D> kind, List<ItemDecision> decisions) {
        return decisions.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
