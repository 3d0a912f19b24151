package dev.elasticjob.execution;

import dev.elasticjob.coordination.firing.HookClaim;
import dev.elasticjob.coordination.firing.HookClaim.Result;
import dev.elasticjob.coordination.view.CallLimits;
import dev.elasticjob.execution.invoker.LogInterceptor;
import dev.elasticjob.job.Failures;
import dev.elasticjob.job.ItemCancelledException;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.cluster.ListenerTimeoutException;
import dev.elasticjob.time.TaskTimer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One call of a job's cluster listeners, from its claim to its end, on a thread of its own. The end is reported once. A call
 * before the items that has exceeded its timeout is reported at once: no item of its firing begins any more, so nothing has
 * to wait for a thread that ignores its interruption. All others are reported after their thread has returned.
 *
 * <p>Thread-safe; guarded by its monitor.
 */
final class HookCall implements Runnable {
    private static final TaskTimer.Cancellable NO_TIMEOUT = () -> {};

    private final HookClaim claim;
    private final ClusterFiring firing;
    private final CallLimits limits;
    private final RunScope scope;
    private final HookJournal journal;
    private final Surroundings here;

    private @Nullable Thread thread;
    private boolean cancelled;
    private boolean interrupted;
    private boolean goesOn;
    /** The one that is being called. */
    private @Nullable ClusterJobListener listener;

    /** Why the call was cut off for good: its timeout, or an operator. */
    private @Nullable Throwable over;

    private boolean told;
    private boolean reported;

    /** The instance that runs the call. Called on any thread. */
    interface Surroundings {
        /** The result is known; called once. */
        void ended(HookCall call, Result result);

        /** No thread works for the call any more, nor will; called once. */
        void left(HookCall call);
    }

    HookCall(HookClaim claim, RunScope scope, Surroundings here) {
        this.claim = claim;
        this.firing = claim.firingOf(claim.definition().jobName());
        this.limits = claim.limits();
        this.scope = scope;
        this.journal = new HookJournal(
                claim,
                firing,
                scope,
                ObservedItem.ofHook(firing.jobName(), scope.errors().log()));
        this.here = here;
    }

    HookClaim claim() {
        return claim;
    }

    boolean isLeaseLost() {
        return !scope.lease().holds(claim.sessionId());
    }

    // ------------------------------------------------------------------ on its thread

    @Override
    public void run() {
        try {
            if (begins()) {
                LogInterceptor.around(firing, this::observedCall);
            }
        } catch (Throwable e) {
            journal.endsByAFailureOfOurs(e);
            report(new Result.Over(Optional.of(Failures.text(e))));
        } finally {
            report(new Result.NotBegun());
            here.left(this);
        }
    }

    private synchronized boolean begins() {
        cancelled |= isLeaseLost();
        if (cancelled) {
            return false;
        }
        thread = Thread.currentThread();
        return true;
    }

    private void observedCall() {
        Instant began = scope.clock().instant();
        journal.begun(began);
        journal.observed().around(() -> call(began));
    }

    private void call(Instant began) {
        TaskTimer.Cancellable slow = scope.timer().after(limits.patience(), this::takesLong);
        TaskTimer.Cancellable deadline =
                limits.timeout().isZero() ? NO_TIMEOUT : scope.timer().after(limits.timeout(), this::timeOut);
        Throwable thrown = claim.isBefore() ? callBefore() : callAfter();
        deadline.cancel();
        slow.cancel();
        @Nullable Throwable known;
        boolean cutOff;
        synchronized (this) {
            thread = null;
            Thread.interrupted();
            known = over;
            cutOff = interrupted;
        }
        if (known != null) {
            fail(began, with(known, thrown));
        } else if (thrown == null) {
            journal.returned(began);
            report(new Result.Over(Optional.empty()));
        } else if (cutOff) {
            journal.cutOff(began, thrown);
            report(new Result.CutOff());
        } else {
            fail(began, thrown);
        }
    }

    /** The same with what the listener has thrown when it was interrupted. */
    private Throwable with(Throwable known, @Nullable Throwable thrown) {
        return known instanceof ItemCancelledException
                ? new ItemCancelledException(String.valueOf(known.getMessage()), thrown)
                : new ListenerTimeoutException(limits.setting(), limits.timeout(), thrown);
    }

    private synchronized void calls(ClusterJobListener next) {
        listener = next;
    }

    private @Nullable Throwable callBefore() {
        for (ClusterJobListener next : scope.clusterListeners()) {
            calls(next);
            try {
                next.beforeFirstItem(firing);
            } catch (Throwable e) {
                return e;
            }
        }
        return null;
    }

    /** All are called, whatever one of them throws. */
    private @Nullable Throwable callAfter() {
        List<ClusterJobListener> reversed = new ArrayList<>(scope.clusterListeners());
        Collections.reverse(reversed);
        Throwable first = null;
        for (ClusterJobListener next : reversed) {
            calls(next);
            try {
                next.afterLastItem(firing, claim.outcomes().orElseThrow());
            } catch (Throwable e) {
                if (first == null) {
                    first = e;
                } else {
                    journal.failedToo(e);
                }
            }
        }
        return first;
    }

    private void fail(Instant began, Throwable failure) {
        journal.failed(began, failure);
        tell(failure);
    }

    /** The first failure is the one that counts. */
    private void tell(Throwable failure) {
        synchronized (this) {
            if (told) {
                return;
            }
            told = true;
        }
        scope.report(firing.jobName(), failure);
        report(new Result.Over(Optional.of(Failures.text(failure))));
    }

    // ------------------------------------------------------------------ from outside

    private void takesLong() {
        List<StackTraceElement> stack;
        ClusterJobListener called;
        synchronized (this) {
            if (thread == null || listener == null || interrupted || over != null) {
                return;
            }
            called = listener;
            stack = List.of(thread.getStackTrace());
        }
        journal.takesLong(called, limits, stack);
    }

    private void timeOut() {
        Throwable late = new ListenerTimeoutException(limits.setting(), limits.timeout(), null);
        cutOffForGood(late, String.valueOf(late.getMessage()));
    }

    /** No item of the firing is left for which the listeners would be called. */
    void cancel(String reason) {
        Throwable known = new ItemCancelledException(reason, null);
        cutOffForGood(known, reason);
        boolean never;
        synchronized (this) {
            never = thread == null && !cancelled && !reported;
            cancelled |= never;
        }
        if (never) {
            tell(known);
        }
    }

    /** Before the items, nothing has to wait for a thread that ignores its interruption. */
    private void cutOffForGood(Throwable known, String reason) {
        synchronized (this) {
            if (thread == null || interrupted || over != null) {
                return;
            }
            over = known;
            journal.isInterrupted(reason);
            thread.interrupt();
        }
        if (claim.isBefore()) {
            tell(known);
        }
    }

    /** Never begins, unless it has. */
    void cancel() {
        boolean now;
        synchronized (this) {
            now = thread == null && !cancelled && !reported;
            cancelled |= now;
        }
        if (now) {
            report(new Result.NotBegun());
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
        cancel();
    }

    /** There is no thread for it. */
    void refused(Throwable reason) {
        journal.getsNoThread(reason);
        cancel();
        here.left(this);
    }

    synchronized void goOn() {
        if (!goesOn && thread != null) {
            goesOn = true;
            journal.goesOn();
        }
    }

    private void report(Result result) {
        synchronized (this) {
            if (reported) {
                return;
            }
            reported = true;
        }
        here.ended(this, result);
    }
}
