package dev.elasticjob.execution;

import dev.elasticjob.coordination.item.ClaimedItem;
import dev.elasticjob.coordination.item.ExecutionResult;
import dev.elasticjob.coordination.item.ExecutionResult.Unclaimed;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.watchdog.ExecutionProgress;
import dev.elasticjob.execution.invoker.ItemContext;
import dev.elasticjob.execution.invoker.LogInterceptor;
import dev.elasticjob.execution.pool.FairPool;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.time.DurationText;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One item from its claim to its end. An attempt starts only while the item's lease holds, and has its own thread;
 * between two attempts there is none. The end is reported once, and only after the thread has returned.
 *
 * <p>An execution that throws after it was interrupted here counts as interrupted, not as failed. So does one whose
 * next attempt can't start here. An item that waits, and may no longer start, ends at once, because its turn may be far
 * away.
 *
 * <p>Thread-safe. Its monitor guards all mutable state, so that an interruption never hits a thread that has moved on.
 */
final class ItemExecution implements FairPool.Task {
    private final ClaimedItem item;
    private final ItemContext context;
    private final RunScope scope;
    private final ItemJournal journal;
    private final Surroundings here;
    private final Interruption cut;

    private Stage stage = Stage.WAITING;
    private @Nullable Thread thread;
    private @Nullable Instant began;
    private long beganAt;
    private int failures;
    private @Nullable Throwable lastFailure;
    /** Confined to the thread of the attempt. */
    private @Nullable RetryDecision retry;

    private TaskTimer.@Nullable Cancellable pause;
    private boolean stopped;
    private boolean goesOn;
    private boolean reported;

    ItemExecution(ClaimedItem item, String parameter, RunScope scope, Surroundings here) {
        this.item = item;
        this.scope = scope;
        this.here = here;
        this.cut = new Interruption(item.definition().timeout());
        this.journal = new ItemJournal(item, scope, here.observed());
        this.context = new ItemContext(item, parameter, scope.coordination(), here, this::isLeaseLost, this::streamsOn);
    }

    /** The instance that runs the execution. Called on any thread, except for what the job reports. */
    interface Surroundings extends ItemContext.Reports {
        ObservedItem observed();

        /** Whether this instance may still start the item. */
        boolean letsBegin();

        /** Whether this instance may continue with the next batch of a stream. */
        boolean letsStreamOn();

        void ended(ItemExecution execution, ExecutionResult result, Optional<Throwable> failure);
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

    private synchronized boolean streamsOn() {
        return mayBegin() && scope.first().letBegin() && !cut.isTimedOut() && here.letsStreamOn();
    }

    // ------------------------------------------------------------------ on the item's thread

    @Override
    public void run() {
        try {
            LogInterceptor.around(context, this::attempt);
        } catch (Throwable e) {
            endAfter(e);
        }
    }

    /** Code other than the job's own has failed, perhaps for lack of memory. The item must not stay locked. */
    private void endAfter(Throwable failure) {
        Instant from;
        int retries;
        boolean told;
        synchronized (this) {
            boolean nextIsAtWork = thread != null && thread != Thread.currentThread();
            if (reported || pause != null || nextIsAtWork) {
                return;
            }
            leaveThread();
            from = began;
            retries = failures;
            told = stage == Stage.OVER;
        }
        if (from == null) {
            report(new Unclaimed(), failure);
        } else {
            ExecutionResult.Returned result = journal.result(ItemState.FAILED, from, failure);
            report(result, failure);
            if (!told) {
                journal.ended(result, retries, failure);
            }
        }
        journal.endsByAFailureOfOurs(failure);
    }

    private void attempt() {
        if (!begins()) {
            endWithoutAttempt(Unclaimed.Reason.NOT_HERE);
            return;
        }
        journal.observed().around(this::work);
    }

    private void work() {
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
        if (stage() == Stage.WAITING) {
            journal.getsNoThread(reason);
            endWithoutAttempt(Unclaimed.Reason.NO_THREAD);
        }
    }

    private synchronized Stage stage() {
        return stage;
    }

    /**
     * Begins on this thread without an attempt, to {@link #fail}; if it may not begin any more, it ends.
     *
     * @return whether it has begun
     */
    boolean beginsToFail() {
        boolean begins = begins();
        if (!begins) {
            endWithoutAttempt(Unclaimed.Reason.NOT_HERE);
        }
        return begins;
    }

    /** Fails because a listener before it has failed, which was already reported. */
    void fail(Throwable cause) {
        returned(cause);
        end(ItemState.FAILED, cause);
    }

    synchronized boolean mayBegin() {
        return !stopped && cut.letsBegin() && !isLeaseLost() && (began != null || letsBegin());
    }

    private boolean letsBegin() {
        return scope.first().letBegin() && here.letsBegin();
    }

    private boolean begins() {
        Instant first = null;
        synchronized (this) {
            if (stage != Stage.WAITING || !mayBegin()) {
                return false;
            }
            stage = Stage.AT_WORK;
            thread = Thread.currentThread();
            if (began == null) {
                first = scope.clock().instant();
                began = first;
                beganAt = scope.timer().nanoTime();
            }
        }
        if (first != null) {
            journal.begun(first, context);
        }
        return true;
    }

    synchronized Optional<ExecutionProgress> progress() {
        return began == null ? Optional.empty() : Optional.of(ExecutionProgress.since(beganAt, scope.timer(), thread));
    }

    private TaskTimer.Cancellable deadline() {
        Duration timeout = item.definition().timeout();
        if (timeout.isZero()) {
            return () -> {};
        }
        int before = failures;
        return scope.timer().after(timeout, () -> timeOut(before, timeout));
    }

    /** The failure of the attempt. Afterwards, the thread continues with other work, without any trace of this one. */
    private synchronized @Nullable Throwable returned(@Nullable Throwable thrown) {
        leaveThread();
        Throwable failure = cut.failure(thrown);
        if (failure != null) {
            failures++;
            lastFailure = failure;
        }
        return failure;
    }

    private synchronized void leaveThread() {
        thread = null;
        if (Thread.interrupted() && !cut.isAny()) {
            journal.leftItsThreadInterrupted();
        }
    }

    private void conclude(@Nullable Throwable failure) {
        if (failure == null) {
            end(ItemState.COMPLETED, null);
        } else if (wasCutOff()) {
            end(stateOfCutOff(), failure);
        } else {
            if (retry == null) {
                retry = new RetryDecision(item.definition().retry());
            }
            retry.pauseAfter(failure).ifPresentOrElse(next -> tryAgain(failure, next), () -> giveUp(failure));
        }
    }

    private synchronized boolean wasCutOff() {
        return cut.endsIt();
    }

    private synchronized ItemState stateOfCutOff() {
        return cut.end();
    }

    /** The error handler may hang like the job, and is interrupted like it. */
    private void giveUp(Throwable failure) {
        synchronized (this) {
            thread = Thread.currentThread();
            if (!cut.letsBegin()) {
                thread.interrupt();
            }
        }
        scope.errors().failed(context, failure);
        leaveThread();
        end(ItemState.FAILED, failure);
    }

    // ------------------------------------------------------------------ between two attempts

    private void tryAgain(Throwable failure, Duration next) {
        if (mayBegin()) {
            journal.failedForNow(failures, next, failure);
        }
        if (!waits(next)) {
            end(stateOfCutOff(), failure);
        }
    }

    private synchronized boolean waits(Duration next) {
        if (!mayBegin()) {
            return false;
        }
        stage = Stage.WAITING;
        cut.again();
        pause = scope.timer().after(next, () -> scope.coordination().execute(this::again));
        return true;
    }

    private void again() {
        synchronized (this) {
            pause = null;
        }
        if (stage() != Stage.OVER) {
            scope.bulkhead().execute(this);
        }
    }

    // ------------------------------------------------------------------ from outside

    /** Lets neither the first attempt nor the next one start. */
    void beginNothingMore() {
        synchronized (this) {
            stopped = true;
        }
        reconsider();
    }

    /** The permission to start may have changed. */
    void reconsider() {
        boolean inVain;
        synchronized (this) {
            inVain = stage == Stage.WAITING && !mayBegin();
        }
        if (inVain) {
            endWithoutAttempt(Unclaimed.Reason.NOT_HERE);
            scope.bulkhead().forget(this);
        }
    }

    void interrupt(String reason) {
        cut(Interruption::byInstance, reason);
    }

    /** An operator's cancellation. The execution fails, even if it returns normally. */
    void cancel(String reason) {
        cut(so -> stage != Stage.OVER && so.cancelled(reason), "it was " + reason);
    }

    private void cut(Predicate<Interruption> first, String reason) {
        synchronized (this) {
            if (!first.test(cut)) {
                return;
            }
            if (thread != null) {
                journal.isInterrupted(reason);
                thread.interrupt();
            }
        }
        reconsider();
    }

    /** @param before the number of failures when the timed attempt started: a late timer hits no other attempt */
    private synchronized void timeOut(int before, Duration timeout) {
        if (thread != null && failures == before && !cut.isByInstance()) {
            cut.timedOut();
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

    /** Has no effect if the execution has ended: a turn may arrive after the end of its task. */
    private void endWithoutAttempt(Unclaimed.Reason reason) {
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
            report(new Unclaimed(reason), null);
        } else {
            end(stateOfCutOff(), failure);
        }
    }

    private void end(ItemState state, @Nullable Throwable failure) {
        Instant from;
        int retries;
        synchronized (this) {
            stage = Stage.OVER;
            from = Objects.requireNonNull(began);
            retries = failure == null ? failures : failures - 1;
        }
        ExecutionResult.Returned result = journal.result(state, from, failure);
        journal.ended(result, retries, failure);
        report(result, failure);
    }

    private void report(ExecutionResult result, @Nullable Throwable failure) {
        synchronized (this) {
            if (reported) {
                return;
            }
            reported = true;
        }
        context.end();
        if (result instanceof ExecutionResult.Returned) {
            scope.first().ended();
        }
        here.ended(this, result, Optional.ofNullable(failure));
    }
}
