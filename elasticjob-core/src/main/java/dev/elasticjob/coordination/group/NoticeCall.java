package dev.elasticjob.coordination.group;

import dev.elasticjob.job.Failures;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One call of the application's code, on a thread of its own. Safe for use by any thread. */
final class NoticeCall {
    private final Runnable code;
    private final BooleanSupplier mayBegin;
    private final CompletableFuture<Result> ended = new CompletableFuture<>();
    // Guarded by this object's monitor.
    private boolean begun;
    private boolean cancelled;
    private boolean interrupted;
    private @Nullable Thread thread;

    /**
     * How it ended.
     *
     * @param begun false if it never began
     * @param failure what the code has thrown
     */
    record Result(boolean begun, Optional<Throwable> failure) {
        static final Result NEVER_BEGUN = new Result(false, Optional.empty());
    }

    /** @param mayBegin asked on its thread, right before it begins */
    NoticeCall(Runnable code, BooleanSupplier mayBegin) {
        this.code = code;
        this.mayBegin = mayBegin;
    }

    /** Completes on any thread; never fails. */
    CompletableFuture<Result> on(Executor workers) {
        try {
            workers.execute(this::run);
        } catch (Throwable e) {
            ended.complete(new Result(false, Optional.of(Failures.printable(e))));
        }
        return ended;
    }

    private void run() {
        if (!begins()) {
            ended.complete(Result.NEVER_BEGUN);
            return;
        }
        Optional<Throwable> failure = Optional.empty();
        try {
            code.run();
        } catch (Throwable e) {
            failure = Optional.of(Failures.printable(e));
        }
        synchronized (this) {
            thread = null;
        }
        Thread.interrupted();
        ended.complete(new Result(true, failure));
    }

    private synchronized boolean begins() {
        if (cancelled || !mayBegin.getAsBoolean()) {
            cancelled = true;
            return false;
        }
        begun = true;
        thread = Thread.currentThread();
        if (interrupted) {
            thread.interrupt();
        }
        return true;
    }

    /** Whether it will never begin; if it has begun before, it goes on. */
    synchronized boolean cancel() {
        cancelled |= !begun;
        return cancelled;
    }

    /** Interrupts its thread, once: now if the code runs, or as soon as it does. */
    synchronized void interrupt() {
        if (thread != null && !interrupted) {
            thread.interrupt();
        }
        interrupted = true;
    }

    static void interruptIfThere(@Nullable NoticeCall call) {
        if (call != null) {
            call.interrupt();
        }
    }

    boolean isOver() {
        return ended.isDone();
    }

    /** Where the code is now, for the log; empty if it doesn't run. */
    synchronized StackTraceElement[] where() {
        return thread == null ? new StackTraceElement[0] : thread.getStackTrace();
    }
}
