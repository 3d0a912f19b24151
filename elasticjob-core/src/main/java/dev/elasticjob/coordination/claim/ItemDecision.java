package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.item.ItemChange;
import dev.elasticjob.coordination.item.Room;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.job.event.JobEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The decision on one item, made from one read of it. */
sealed interface ItemDecision {
    ItemDecision NOTHING = new Nothing();
    ItemDecision AWAIT_ROOM = new AwaitRoom();
    ItemDecision LEAVE_TO_OTHERS = new LeaveToOthers();

    /** The item is not due, or its record can't be used. */
    record Nothing() implements ItemDecision {}

    /**
     * @param losses reported after the commit
     * @param opens the firing that it opens; empty if that is open already, or firings are not opened
     * @param room what was taken for it of this instance's capacity
     */
    record Commit(ItemChange change, List<JobEvent> losses, Optional<Instant> opens, Room room)
            implements ItemDecision {
        Commit(ItemChange change, List<JobEvent> losses) {
            this(change, losses, Optional.empty());
        }

        Commit(ItemChange change, List<JobEvent> losses, Optional<Instant> opens) {
            this(change, losses, opens, Room.NONE);
        }

        Commit in(Room taken) {
            return new Commit(change, losses, opens, taken);
        }

        int item() {
            return change.item();
        }
    }

    /**
     * The item's instance is gone. This is recorded first, in a transaction of its own. Then the item is read again.
     */
    record RecordOrphan(ItemChange.Orphan orphan) implements ItemDecision {}

    /**
     * @param misfired whether a firing waits for the lock and is not displayed yet
     * @param left until its next firing is due, if its jitter delays that, or may cancel the execution when the registry's
     *     clock has reached it
     * @param cancelledBy the firing for which the execution is to be cancelled; empty if it may go on
     */
    record AwaitUnlock(ItemView view, boolean misfired, Optional<Duration> left, Optional<Instant> cancelledBy)
            implements ItemDecision {}

    /** The item is interrupted and disabled. */
    record AwaitEnabled(int item) implements ItemDecision {}

    /** The item has crashed repeatedly. */
    record AwaitPause(int item, Duration left) implements ItemDecision {}

    /** The item is interrupted, and there is no free slot. */
    record AwaitSlot(int item) implements ItemDecision {}

    /** This instance's capacity has no room for the item, which waits for its turn. */
    record AwaitRoom() implements ItemDecision {}

    /** Its owner has no room for the item, and now there is no room or no thread here either. */
    record HelpLater(int item) implements ItemDecision {}

    /** The listeners of the whole cluster are to be called before the item may begin. */
    record CallBefore(Instant firing) implements ItemDecision {}

    /**
     * They are being called, or the registry's clock has not reached the firing yet.
     *
     * @param left until it does; zero if it has
     */
    record AwaitFiring(Duration left) implements ItemDecision {}

    /**
     * The firing has come, and the item's jitter delays it.
     *
     * @param left until the item is due
     */
    record AwaitDelay(int item, Duration left) implements ItemDecision {}

    /** So many executions of the item have failed one after the other that the job is paused before the next. */
    record PauseJob(int item) implements ItemDecision {}

    /** This machine's clock differs too much from the registry's to claim the firing. */
    record LeaveToOthers() implements ItemDecision {}

    static <D extends ItemDecision> List<D> only(Class<D> kind, List<ItemDecision> decisions) {
        List<D> only = new ArrayList<>();
        for (ItemDecision decision : decisions) {
            if (kind.isInstance(decision)) {
                only.add(kind.cast(decision));
            }
        }
        return only;
    }
}
