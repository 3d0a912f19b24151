package dev.elasticjob.coordination.group;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/**
 * How far this instance is on its way out of a group, and who waits for that. Confined to the coordination executor.
 */
final class GroupDeparture {
    private final GroupScope scope;
    private final IndexHolder holder;
    private final BooleanSupplier undecided;
    private final Runnable ended;
    private final CompletableFuture<Void> returned = new CompletableFuture<>();
    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private Phase phase = Phase.TAKING_PART;
    private boolean forGood;
    private boolean withdrawn;

    private enum Phase {
        TAKING_PART,
        /** Holds no index any more, once its calls have returned; it may still lead. */
        DRAINING,
        /** Deletes its nodes. */
        LEAVING,
        ENDED
    }

    /**
     * @param undecided whether an index may still turn out to be this instance's
     * @param ended called once, when nothing of this instance is left in the group
     */
    GroupDeparture(GroupScope scope, IndexHolder holder, BooleanSupplier undecided, Runnable ended) {
        this.scope = scope;
        this.holder = holder;
        this.undecided = undecided;
        this.ended = ended;
    }

    boolean hasBegun() {
        return phase != Phase.TAKING_PART;
    }

    boolean isOver() {
        return phase == Phase.ENDED;
    }

    boolean isLeaving() {
        return phase == Phase.LEAVING;
    }

    /** Whether this instance's nodes are to be deleted, and have not been. */
    boolean hasToWithdraw() {
        return phase == Phase.LEAVING && !withdrawn;
    }

    void drain() {
        if (phase == Phase.TAKING_PART) {
            phase = Phase.DRAINING;
            settle();
        }
    }

    /**
     * From now on, deletes the instance's nodes.
     *
     * @param sessionLivesOn whether this is tried for as long as the session lives
     * @param nothingToDo if it has never joined
     */
    void leave(boolean sessionLivesOn, boolean nothingToDo) {
        if (phase == Phase.DRAINING) {
            phase = Phase.LEAVING;
            forGood = sessionLivesOn;
            withdrawn = nothingToDo;
            settle();
        }
    }

    void withdrawn() {
        withdrawn = true;
        settle();
    }

    /** Nothing can be deleted, as access is denied. */
    void giveUp() {
        returned.complete(null);
        idle.complete(null);
        left.complete(null);
        end();
    }

    /** Completes what is waited for as soon as there is nothing left to do for it. */
    void settle() {
        if (phase == Phase.TAKING_PART || phase == Phase.ENDED) {
            return;
        }
        if (holder.isIdle()) {
            returned.complete(null);
        }
        if (holder.state() == IndexHolder.State.IDLE && !undecided.getAsBoolean()) {
            idle.complete(null);
        }
        boolean inVain = !forGood && scope.connection().session().isEmpty();
        if (phase == Phase.LEAVING && (withdrawn || inVain)) {
            left.complete(null);
        }
        if (withdrawn && idle.isDone()) {
            end();
        }
    }

    private void end() {
        phase = Phase.ENDED;
        ended.run();
    }

    /** Completes when none of the application's code runs any more, nor will. */
    CompletionStage<Void> returned() {
        return returned.copy();
    }

    /** Completes when the index is given back too. */
    CompletionStage<Void> idle() {
        return idle.copy();
    }

    /** Completes when the instance's nodes are deleted, or can't be. */
    CompletionStage<Void> left() {
        return left.copy();
    }
}
