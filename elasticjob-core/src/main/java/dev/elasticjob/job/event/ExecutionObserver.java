package dev.elasticjob.job.event;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.ShardingContexts;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Surrounds firings and their items on the threads on which they run, for tracing. What it opens around an item is in place
 * while the job's code, its error handler and the log lines about the item run.
 *
 * <p>Safe for use by any thread. What an observer throws is logged and otherwise ignored: the work is done nevertheless.
 */
@FunctionalInterface
public interface ExecutionObserver {
    /** Observes nothing. */
    ExecutionObserver NONE = items -> Firing.NONE;

    /** Called on the coordination thread, when this instance has claimed items and before any of them starts. */
    Firing begins(ShardingContexts items);

    /** Called on the thread of a call of the job's cluster listeners, before it. The call is one attempt. */
    default Item begins(HookStart hook) {
        return Item.NONE;
    }

    /**
     * A call of a job's cluster listeners that starts. See {@link dev.elasticjob.job.event.JobEvent.HookStarted}.
     *
     * @param runId of the firing
     * @param scheduledAt empty for a manual run
     */
    record HookStart(String jobName, HookKind kind, String runId, Optional<Instant> scheduledAt, int attempt) {}

    /** The items that one instance has claimed together. */
    interface Firing {
        /** Observes nothing. */
        Firing NONE = item -> Item.NONE;

        /** Called on the item's thread, before the first attempt. Not called for an item that doesn't start. */
        Item begins(ItemStart item);

        /**
         * Surrounds the job's listeners, before the items and after them. Not called for a job without listeners.
         *
         * @param listeners has to be called once, on the same thread
         */
        default void around(Runnable listeners) {
            listeners.run();
        }

        /**
         * Called once, when all items and the listeners after them have ended; on any thread, often within {@link
         * Item#around} of the last item.
         */
        default void ended() {}
    }

    /** An item that starts. */
    record ItemStart(ShardingContext context, ExecutionTrigger trigger) {}

    /** One item from its start to its end. */
    @FunctionalInterface
    interface Item {
        /** Observes nothing. */
        Item NONE = (outcome, failure) -> {};

        /**
         * Surrounds an attempt. Two attempts never overlap, but may have different threads.
         *
         * @param attempt has to be called once, on the same thread
         */
        default void around(Runnable attempt) {
            attempt.run();
        }

        /**
         * An attempt failed, and the next one follows after a pause. Called within {@link #around}.
         *
         * @param failures the number of failed attempts so far
         */
        default void retried(int failures, Duration pause, Throwable failure) {}

        /** Called once, often within {@link #around} of the last attempt; on any thread. */
        void ended(ExecutionOutcome outcome, Optional<Throwable> failure);
    }
}
