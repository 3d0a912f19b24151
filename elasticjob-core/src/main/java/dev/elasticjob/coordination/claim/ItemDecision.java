package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.failover.ItemChange;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.job.event.JobEvent;
import java.time.Duration;
import java.util.List;

/** The decision on one item, made from one read of it. */
sealed interface ItemDecision {
    ItemDecision NOTHING = new Nothing();
    ItemDecision AWAIT_SLOT = new AwaitSlot();
    ItemDecision LEAVE_TO_OTHERS = new LeaveToOthers();

    /** The item is not due, or its record can't be used. */
    record Nothing() implements ItemDecision {}

    /** @param losses reported after the commit */
    record Commit(ItemChange change, List<JobEvent> losses) implements ItemDecision {
        int item() {
            return change.item();
        }
    }

    /**
     * The item's instance is gone. This is recorded first, in a transaction of its own. Then the item is read again.
     */
    record RecordOrphan(ItemChange.Orphan orphan) implements ItemDecision {}

    /** @param misfired whether a firing waits for the lock and is not displayed yet */
    record AwaitUnlock(ItemView view, boolean misfired) implements ItemDecision {}

    /** The item is interrupted and disabled. */
    record AwaitEnabled(int item) implements ItemDecision {}

    /** The item has crashed repeatedly. */
    record AwaitPause(int item, Duration left) implements ItemDecision {}

    /** The item is interrupted, and there is no free slot. */
    record AwaitSlot() implements ItemDecision {}

    /** This machine's clock differs too much from the registry's to claim the firing. */
    record LeaveToOthers() implements ItemDecision {}

    static <D extends ItemDecision> List<D> only(Class<D> kind, List<ItemDecision> decisions) {
        return decisions.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
