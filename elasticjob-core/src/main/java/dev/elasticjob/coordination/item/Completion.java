package dev.elasticjob.coordination.item;

import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.view.ItemView;
import java.time.Instant;
import java.util.Optional;

/**
 * The end of a claimed item, as it is written to the registry.
 *
 * @param next the record afterwards
 * @param version the version at which the record is set
 * @param holdsLock whether the item's lock exists, is ours, and is deleted too
 * @param checkpoint the last checkpoint, if it is not written yet
 * @param waiting manual runs requested since the claim; if the claim is undone, its own run waits with them again
 * @param showsFailover whether the item's failover node exists, is ours, and is deleted too
 * @param signal the change of the item's failover signal
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
    public enum FailoverSignal {
        LEAVE,
        RAISE,
        REMOVE
    }

    public static Completion of(ClaimedItem claim, ExecutionResult ending, Optional<Checkpoint> checkpoint) {
        ItemRecord next = next(claim.claimed(), Instant.EPOCH, claim, ending);
        boolean interrupted =
                next.state() == ItemState.INTERRUPTED && claim.definition().failover();
        boolean restoresSignal = claim.taken() && ending instanceof ExecutionResult.Unclaimed;
        FailoverSignal signal = interrupted || restoresSignal ? FailoverSignal.RAISE : FailoverSignal.LEAVE;
        return new Completion(
                claim, ending, next, claim.version(), true, checkpoint, Optional.empty(), claim.taken(), signal);
    }

    /**
     * The end as it has to be written after a refusal, or in a later session. Decided from the registry's present
     * state, never from a remembered version.
     *
     * @param item the item as it was just read
     * @param lock the transaction that created the item's lock, if it exists
     * @return empty if nothing has to be written: the end is already written, or another execution has superseded it
     */
    public static Optional<Completion> again(Completion first, ItemView item, Optional<Long> lock) {
        ClaimedItem claim = first.claim();
        ItemRecord current = item.current();
        boolean ourLock = lock.filter(czxid -> czxid == claim.token()).isPresent();
        boolean open = current.state() == ItemState.RUNNING || current.state() == ItemState.INTERRUPTED;
        boolean superseded = !item.isReadable()
                || !open
                || !current.isSameExecution(claim.claimed())
                || isEndOfOpenFiring(first, current);
        if (superseded || (lock.isPresent() && !ourLock)) {
            return Optional.empty();
        }
        ItemRecord next = next(current, item.recorded(), claim, first.ending());
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

    /**
     * Whether the execution that has not begun was recorded as interrupted meanwhile, and is one of an open firing: others
     * may rely on that end already, so it is not undone.
     */
    private static boolean isEndOfOpenFiring(Completion first, ItemRecord current) {
        return first.ending() instanceof ExecutionResult.Unclaimed
                && current.state() == ItemState.INTERRUPTED
                && current.ends().opened();
    }

    /**
     * An execution that was cancelled has failed, whatever became of it: that is what the operator was told. What hasn't begun
     * is not undone then, because it would begin again.
     *
     * @param recorded when the record was written, by the registry's clock
     */
    private static ItemRecord next(ItemRecord base, Instant recorded, ClaimedItem claim, ExecutionResult ending) {
        if (ending instanceof ExecutionResult.Returned returned) {
            return base.state() == returned.state()
                    ? base
                    : base.ended(returned.state(), returned.began(), returned.returned(), returned.failure());
        }
        return base.cancelled() == null ? claim.before() : base.endedUnbegun(recorded);
    }

    /** Whether it was cancelled before this end was written. */
    public boolean isCancelled() {
        boolean undone = ending instanceof ExecutionResult.Unclaimed && next.equals(claim.before());
        return next.cancelled() != null && !undone;
    }
}
