package dev.elasticjob.execution;

import dev.elasticjob.job.Failures;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * An executor of the user's, on which a job's items run. It is his: never shut down from here.
 *
 * <p>Safe for use by any thread.
 */
record OwnExecutor(String name, Executor executor) {
    /** @throws RejectedExecutionException when the executor gives it no thread; it won't run then */
    void execute(Runnable work) {
        var handing = new Handing(work, Thread.currentThread());
        try {
            executor.execute(handing);
        } catch (Throwable e) {
            throw new RejectedExecutionException(
                    "The executor \"%s\" refuses it".formatted(name), Failures.printable(e));
        } finally {
            handing.over = true;
        }
        if (handing.onCaller) {
            throw new RejectedExecutionException(
                    ("The executor \"%s\" runs it on the thread that hands it over, which must not wait for an item: give"
                                    + " it another policy than CallerRunsPolicy, or more threads")
                            .formatted(name));
        }
    }

    /** Runs the work, but not on the thread that is just handing it over: that one may be the coordination's. */
    private static final class Handing implements Runnable {
        private final Runnable work;
        private final Thread caller;
        // Both are used by the caller's thread only.
        private boolean over;
        private boolean onCaller;

        Handing(Runnable work, Thread caller) {
            this.work = work;
            this.caller = caller;
        }

        @Override
        public void run() {
            if (Thread.currentThread() == caller && !over) {
                onCaller = true;
            } else {
                work.run();
            }
        }
    }
}
