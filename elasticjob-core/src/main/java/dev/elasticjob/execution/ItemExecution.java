package dev.elasticjob.execution;

import dev.elasticjob.coordination.completion.ClaimedItem;
import dev.elasticjob.coordination.completion.ExecutionResult;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.execution.invoker.ItemContext;
import dev.elasticjob.execution.invoker.LogInterceptor;
import dev.elasticjob.execution.invoker.Progress;
import dev.elasticjob.execution.pool.FairPool;
import dev.elasticjob.job.ItemTimeoutException;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.time.DurationText;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One item from its claim to its end, attempt by attempt. An attempt begins only while the item's lease holds, and has a
 * thread of its own; between two attempts there is none. Its end is told once, and only after its thread has returned.
 *
 * <p>What was interrupted from here and gave up is interrupted, not failed. So is what would be tried again but can't be
 * here, because the lease is lost, the engine stops or no thread is given: with failover another instance goes on.
 *
 * <p>An item that waits, for its turn or for its next attempt, and may not begin any more ends at once: its turn may be far
 * away.
 *
 * <p>Safe for use by any thread: its monitor guards all that changes, above all the thread, so that an interrupt never
 * hits one that has gone on.
 */
final class ItemExecution implements FairPool.Task {
    private static final TaskTimer.Cancellable NO_TIMEOUT = () -> {};

    private final ClaimedItem item;
    private final ItemContext context;
    private final RunScope scope;
    private final ItemJournal journal;
    private final Ends ends;
    private final Wanted wanted;

    private Stage stage = Stage.WAITING;
    private @Nullable Thread thread;
    private @Nullable Instant began;
    private int failures;
    private @Nullable Throwable lastFailure;
    /** Counts the failures; of one thread at a time. */
    private @Nullable RetryDecision retry;

    private TaskTimer.@Nullable Cancellable pause;
    private boolean stopped;
    private boolean interrupted;
    private boolean timedOut;
    private boolean goesOn;
    private boolean over;

    private enum Stage {
        /** For a turn, or for the pause before the next attempt to be over. */
        WAITING,
        AT_WORK,
        OVER
    }

    ItemExecution(ClaimedItem item, String parameter, Progress progress, RunScope scope, Wanted wanted, Ends ends) {
        this.item = item;
        this.context = new ItemContext(item, parameter, progress, this::isLeaseLost, this::streamsOn);
        this.wanted = wanted;
        this.scope = scope;
        this.journal = new ItemJournal(item, scope);
        this.ends = ends;
    }

    /** Whether this instance is still the one to execute the item. Asked on any thread. */
    interface Wanted {
        boolean toBegin();

        /** Between two batches of a stream. */
        boolean toStreamOn();
    }

    /** Hears of ends, on any thread. */
    @FunctionalInterface
    interface Ends {
        void ended(ItemExecution execution, ExecutionResult ending, Optional<Throwable> failure);
    }

    ClaimedItem item() {
        return item;
    }

    ShardingContext context() {
        return context;
    }

    boolean isLeaseLost() {
        return item.token() != 0 && !scope.lease().holds(item.sessionId());
    }

    /** What may not begin may not begin another batch either. */
    private synchronized boolean streamsOn() {
        return mayBegin() && !timedOut && wanted.toStreamOn();
    }

    // ------------------------------------------------------------------ on the item's thread

    /** One attempt. */
    @Override
    public void run() {
        try {
            LogInterceptor.around(context, this::attempt);
        } catch (Throwable e) {
            endAfter(e);
        }
    }

    /** Whatever fails beside the item's own code, be it for lack of memory: the item doesn't stay locked. */
    private void endAfter(Throwable failure) {
        Instant from;
        synchronized (this) {
            if (over || pause != null) {
                return;
            }
            leaveThread();
            from = began;
        }
        end(from == null ? new ExecutionResult.Unclaimed() : journal.ending(ItemState.FAILED, from, failure), failure);
        journal.endsByAFailureOfOurs(failure);
    }

    private void attempt() {
        if (!begins()) {
            endWithoutAttempt();
            return;
        }
        TaskTimer.Cancellable deadline = deadline();
        Throwable thrown = null;
        try {
            scope.invoker().invoke(context);
        } catch (Throwable e) {
            thrown = e;
        }
        deadline.cancel();
        conclude(returned(thrown));
    }

    @Override
    public void refused(RejectedExecutionException reason) {
        synchronized (this) {
            if (stage != Stage.WAITING) {
                return;
            }
        }
        journal.getsNoThread(reason);
        endWithoutAttempt(ExecutionResult.Unclaimed.Reason.NO_THREAD);
    }

    /** Fails without an attempt: what had to come before it has failed, and was reported. */
    void fail(Throwable cause) {
        if (begins()) {
            returned(cause);
            end(ItemState.FAILED, cause);
        } else {
            endWithoutAttempt();
        }
    }

    synchronized boolean mayBegin() {
        return !stopped && !interrupted && !isLeaseLost() && (began != null || wanted.toBegin());
    }

    private boolean begins() {
        boolean first;
        synchronized (this) {
            if (stage != Stage.WAITING || !mayBegin()) {
                return false;
            }
            stage = Stage.AT_WORK;
            thread = Thread.currentThread();
            first = began == null;
            if (first) {
                began = scope.clock().instant();
            }
        }
        if (first) {
            journal.begun();
        }
        return true;
    }

    private TaskTimer.Cancellable deadline() {
        Duration timeout = item.definition().timeout();
        if (timeout.isZero()) {
            return NO_TIMEOUT;
        }
        int before = failures;
        return scope.timer().after(timeout, () -> timeOut(before, timeout));
    }

    /** What the attempt failed with, if it did; the thread goes on to other work without a trace of it. */
    private synchronized @Nullable Throwable returned(@Nullable Throwable thrown) {
        leaveThread();
        Throwable failure =
                timedOut ? new ItemTimeoutException(item.definition().timeout(), thrown) : thrown;
        if (failure != null) {
            failures++;
            lastFailure = failure;
        }
        return failure;
    }

    private void leaveThread() {
        thread = null;
        if (Thread.interrupted() && !interrupted && !timedOut) {
            journal.leftItsThreadInterrupted();
        }
    }

    private void conclude(@Nullable Throwable failure) {
        if (failure == null) {
            end(ItemState.COMPLETED, null);
        } else if (wasCutOff()) {
            end(ItemState.INTERRUPTED, failure);
        } else {
            retryDecision().pauseAfter(failure).ifPresentOrElse(next -> tryAgain(failure, next), () -> giveUp(failure));
        }
    }

    private synchronized boolean wasCutOff() {
        return interrupted && !timedOut;
    }

    private RetryDecision retryDecision() {
        RetryDecision known = retry;
        if (known == null) {
            known = new RetryDecision(item.definition().retry());
            retry = known;
        }
        return known;
    }

    /** The error handler may hang as well as the job may: it is interrupted like it. */
    private void giveUp(Throwable failure) {
        synchronized (this) {
            thread = Thread.currentThread();
            if (interrupted) {
                thread.interrupt();
            }
        }
        scope.errors().failed(context, failure);
        synchronized (this) {
            leaveThread();
        }
        end(ItemState.FAILED, failure);
    }

    // ------------------------------------------------------------------ between two attempts

    private void tryAgain(Throwable failure, Duration next) {
        if (mayBegin()) {
            journal.failedForNow(failures, next, failure);
        }
        if (!waits(next)) {
            end(ItemState.INTERRUPTED, failure);
        }
    }

    private synchronized boolean waits(Duration next) {
        if (!mayBegin()) {
            return false;
        }
        stage = Stage.WAITING;
        timedOut = false;
        pause = scope.timer().after(next, () -> scope.coordination().execute(this::again));
        return true;
    }

    private void again() {
        synchronized (this) {
            if (stage == Stage.OVER) {
                return;
            }
        }
        scope.bulkhead().execute(this);
    }

    // ------------------------------------------------------------------ from outside

    /** What has not begun never will: neither the first attempt nor the next one. */
    void beginNothingMore() {
        synchronized (this) {
            stopped = true;
        }
        reconsider();
    }

    /** Whether it may begin has perhaps changed. */
    void reconsider() {
        boolean inVain;
        synchronized (this) {
            inVain = stage == Stage.WAITING && !mayBegin();
        }
        if (inVain) {
            endWithoutAttempt();
            scope.bulkhead().forget(this);
        }
    }

    void interrupt(String reason) {
        synchronized (this) {
            if (interrupted) {
                return;
            }
            interrupted = true;
            if (thread != null) {
                journal.isInterrupted(reason);
                thread.interrupt();
            }
        }
        reconsider();
    }

    /** @param before how many attempts had failed when the one began that is timed: a late timer hits no other */
    private synchronized void timeOut(int before, Duration timeout) {
        if (thread != null && failures == before && !interrupted) {
            timedOut = true;
            journal.isInterrupted("it exceeded its timeout of " + DurationText.of(timeout));
            thread.interrupt();
        }
    }

    synchronized void goOn() {
        if (!goesOn && thread != null) {
            goesOn = true;
            journal.goesOn();
        }
    }

    // ------------------------------------------------------------------ the end

    private void endWithoutAttempt() {
        endWithoutAttempt(ExecutionResult.Unclaimed.Reason.NOT_HERE);
    }

    /** Does nothing where it has ended already: a turn may come behind the end of what waited for it. */
    private void endWithoutAttempt(ExecutionResult.Unclaimed.Reason reason) {
        Throwable failure;
        synchronized (this) {
            if (stage != Stage.WAITING) {
                return;
            }
            stage = Stage.OVER;
            if (pause != null) {
                pause.cancel();
            }
            failure = lastFailure;
        }
        if (failure == null) {
            end(new ExecutionResult.Unclaimed(reason), null);
        } else {
            end(ItemState.INTERRUPTED, failure);
        }
    }

    private void end(ItemState state, @Nullable Throwable failure) {
        Instant from;
        synchronized (this) {
            stage = Stage.OVER;
            from = began;
        }
        if (from == null) {
            throw new IllegalStateException("Item %s ends as %s without having begun".formatted(item, state));
        }
        ExecutionResult ending = journal.ending(state, from, failure);
        journal.ended(state, failure);
        end(ending, failure);
    }

    private void end(ExecutionResult ending, @Nullable Throwable failure) {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
        }
        ends.ended(this, ending, Optional.ofNullable(failure));
    }
}
