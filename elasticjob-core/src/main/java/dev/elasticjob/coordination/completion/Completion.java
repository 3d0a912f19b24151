package dev.elasticjob.coordination.completion;

import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.view.ItemView;
import java.util.Optional;

/**
 * How a claimed item ends in the registry.
 *
 * @param ending how the execution ended
 * @param next its record afterwards
 * @param version at which the record is set
 * @param holdsLock whether the item's lock is there, ours, and to be deleted with it
 * @param checkpoint the last one of the execution, if it isn't written yet
 * @param waiting manual runs that were asked for since the claim: if it is undone, its own run waits with them again
 * @param showsFailover whether its failover node is there, ours, and to be deleted with it
 * @param signal what happens to its failover item
 */
public record Completion(
        ClaimedItem claim,
        ExecutionResult ending,
        ItemRecord next,
        int version,
        boolean holdsLock,
        Optional<Checkpoint> checkpoint,
        Optional<ManualRun.Waiting> waiting,
        boolean showsFailover,
        FailoverSignal signal) {
    /** A failover item is created, deleted, or left as it is. */
    public enum FailoverSignal {
        LEAVE,
        RAISE,
        REMOVE
    }

    /** The ordinary end, in the session of the claim. */
    public static Completion of(ClaimedItem claim, ExecutionResult ending, Optional<Checkpoint> checkpoint) {
        ItemRecord next = next(claim.claimed(), claim, ending);
        boolean interrupted =
                next.state() == ItemState.INTERRUPTED && claim.definition().failover();
        boolean restoresSignal = claim.taken() && ending instanceof ExecutionResult.Unclaimed;
        FailoverSignal signal = interrupted || restoresSignal ? FailoverSignal.RAISE : FailoverSignal.LEAVE;
        return new Completion(
                claim, ending, next, claim.version(), true, checkpoint, Optional.empty(), claim.taken(), signal);
    }

    /**
     * The end as it has to be written now that the first try was refused, or was made in a session that is over.
     * Decided from what is there, never from a remembered version.
     *
     * @param item as it was just read
     * @param lock the creating transaction of the item's lock, where there is one
     * @return empty if nothing is left to write: it is written already, or another execution has superseded it
     */
    public static Optional<Completion> again(Completion first, ItemView item, Optional<Long> lock) {
        ClaimedItem claim = first.claim();
        ItemRecord current = item.current();
        boolean ourLock = lock.filter(czxid -> czxid == claim.token()).isPresent();
        boolean open = current.state() == ItemState.RUNNING || current.state() == ItemState.INTERRUPTED;
        boolean superseded = !item.isReadable() || !open || !current.isSameExecution(claim.claimed());
        if (superseded || (lock.isPresent() && !ourLock)) {
            return Optional.empty();
        }
        ItemRecord next = next(current, claim, first.ending());
        boolean waits = next.state() == ItemState.INTERRUPTED;
        boolean signalWanted = first.signal() == FailoverSignal.RAISE && waits;
        FailoverSignal signal = item.waitsForFailover() == signalWanted
                ? FailoverSignal.LEAVE
                : signalWanted ? FailoverSignal.RAISE : FailoverSignal.REMOVE;
        boolean shown = ourLock && claim.taken() && item.children().failover();
        Optional<Checkpoint> checkpoint = first.checkpoint().map(unwritten -> unwritten.after(item));
        return Optional.of(new Completion(
                claim, first.ending(), next, item.version(), ourLock, checkpoint, item.waiting(), shown, signal));
    }

    private static ItemRecord next(ItemRecord base, ClaimedItem claim, ExecutionResult ending) {
        if (ending instanceof ExecutionResult.Returned returned) {
            return base.state() == returned.state()
                    ? base
                    : base.ended(returned.state(), returned.began(), returned.returned(), returned.failure());
        }
        return claim.before();
    }
}
