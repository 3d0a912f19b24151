package dev.elasticjob.execution;

import dev.elasticjob.job.FailureLog;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.ExecutionObserver;
import dev.elasticjob.job.event.ExecutionObserver.Firing;
import dev.elasticjob.job.event.ExecutionObserver.HookStart;
import dev.elasticjob.job.event.ExecutionObserver.Item;
import dev.elasticjob.job.event.ExecutionObserver.ItemStart;
import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.job.event.ExecutionTrigger;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The observer's view of one item. Whatever the observer throws, the work around which it is called is done, and done once.
 *
 * <p>Used by one thread after the other.
 */
final class ObservedItem {
    private static final Logger log = LoggerFactory.getLogger(ItemRunner.class);

    /** Of a job that nobody observes: costs nothing. */
    static final ObservedItem NONE = new ObservedItem("", new FailureLog(log, () -> 0), () -> Firing.NONE);

    private final String job;
    private final FailureLog failures;
    private final Supplier<Firing> firing;
    private volatile Item item = Item.NONE;

    /** @param failures where those of the observer are logged */
    ObservedItem(String job, FailureLog failures, Supplier<Firing> firing) {
        this.job = job;
        this.failures = failures;
        this.firing = firing;
    }

    void begun(ShardingContext context, ExecutionTrigger trigger) {
        Firing of = firing.get();
        if (of != Firing.NONE) {
            guarded(job, failures, () -> item = of.begins(new ItemStart(context, trigger)));
        }
    }

    static ObservedItem ofHook(String job, FailureLog failures) {
        return new ObservedItem(job, failures, () -> Firing.NONE);
    }

    void begun(ExecutionObserver observer, HookStart hook) {
        if (observer != ExecutionObserver.NONE) {
            guarded(job, failures, () -> item = observer.begins(hook));
        }
    }

    void around(Runnable attempt) {
        Item present = item;
        if (present == Item.NONE) {
            attempt.run();
        } else {
            around(job, failures, present::around, attempt);
        }
    }

    void retried(int times, Duration pause, Throwable failure) {
        if (item != Item.NONE) {
            guarded(job, failures, () -> item.retried(times, pause, failure));
        }
    }

    void ended(ExecutionOutcome outcome, Optional<Throwable> failure) {
        if (item != Item.NONE) {
            guarded(job, failures, () -> item.ended(outcome, failure));
        }
    }

    /** Does the work within what an observer opens around it. A failure of the work itself is passed on. */
    static void around(String job, FailureLog failures, Consumer<Runnable> observer, Runnable work) {
        Once once = new Once(work);
        try {
            observer.accept(once);
        } catch (Throwable e) {
            once.rethrow(e);
            report(job, failures, e);
        }
        once.run();
    }

    static void guarded(String job, FailureLog failures, Runnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            report(job, failures, e);
        }
    }

    private static void report(String job, FailureLog failures, Throwable failure) {
        failures.error("Job \"%s\": an execution observer failed; the job is not affected".formatted(job), failure);
    }

    /** Work that is done at most once. Confined to its thread. */
    private static final class Once implements Runnable {
        private final Runnable work;
        private boolean begun;
        private Optional<Throwable> failure = Optional.empty();

        Once(Runnable work) {
            this.work = work;
        }

        @Override
        public void run() {
            if (begun) {
                return;
            }
            begun = true;
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                failure = Optional.of(e);
                throw e;
            }
        }

        /** If the failure is the work's own. */
        void rethrow(Throwable thrown) {
            if (failure.filter(own -> own == thrown).isPresent()) {
                if (thrown instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) thrown;
            }
        }
    }
}
