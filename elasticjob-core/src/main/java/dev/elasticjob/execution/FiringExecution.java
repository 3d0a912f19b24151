package dev.elasticjob.execution;

import dev.elasticjob.coordination.item.ExecutionResult;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.execution.invoker.LogInterceptor;
import dev.elasticjob.execution.pool.FairPool;
import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.ItemOutcome;
import dev.elasticjob.job.ItemOutcome.Kind;
import dev.elasticjob.job.ShardingContexts;
import dev.elasticjob.job.event.ExecutionObserver;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the listeners around the items of one claim: first each listener's {@code before}, then, after the last item,
 * the {@code after} of those listeners whose {@code before} has returned.
 *
 * <p>Thread-safe; guarded by its monitor.
 */
final class FiringExecution {
    private static final Logger log = LoggerFactory.getLogger(FiringExecution.class);

    private final String job;
    private final RunScope scope;
    private final Consumer<FiringExecution> over;
    private final SortedMap<Integer, ItemOutcome> outcomes = new TreeMap<>();
    /** The listeners whose {@code before} has returned, the latest first. Used by one thread at a time. */
    private final Deque<ElasticJobListener> entered = new ArrayDeque<>();

    private final FairPool.Task before = FairPool.Task.of(this::before, this::refusedBefore);
    private List<ItemExecution> items = List.of();
    private volatile ExecutionObserver.Firing observed = ExecutionObserver.Firing.NONE;
    /** True while listeners are called before the items. Items may end during that time, but the firing continues. */
    private boolean announcing;

    private @Nullable Thread thread;
    private boolean interrupted;

    /** @param over called once, on any thread, when the firing is over */
    FiringExecution(String job, RunScope scope, Consumer<FiringExecution> over) {
        this.job = job;
        this.scope = scope;
        this.over = over;
    }

    void begin(List<ItemExecution> executions) {
        items = List.copyOf(executions);
        if (isObserved()) {
            ObservedItem.guarded(
                    job, scope.errors().log(), () -> observed = scope.observer().begins(contexts()));
        }
        if (scope.listeners().isEmpty()) {
            items.forEach(scope.bulkhead()::execute);
        } else {
            scope.bulkhead().executeBeside(before);
        }
    }

    /** One for each item. */
    ObservedItem observedItem() {
        return isObserved() ? new ObservedItem(job, scope.errors().log(), () -> observed) : ObservedItem.NONE;
    }

    private boolean isObserved() {
        return scope.observer() != ExecutionObserver.NONE;
    }

    void ended(ItemExecution execution, ExecutionResult result, Optional<Throwable> failure) {
        boolean last;
        synchronized (this) {
            outcomes.put(execution.item().item(), outcome(result, failure));
            last = !announcing && allHaveEnded();
        }
        if (last) {
            leave();
        }
    }

    private boolean allHaveEnded() {
        return outcomes.size() == items.size();
    }

    private static ItemOutcome outcome(ExecutionResult result, Optional<Throwable> failure) {
        if (!(result instanceof ExecutionResult.Returned returned)) {
            return new ItemOutcome(Kind.NOT_BEGUN, Optional.empty());
        }
        Kind ended = returned.state() == ItemState.INTERRUPTED ? Kind.INTERRUPTED : Kind.FAILED;
        return new ItemOutcome(returned.state() == ItemState.COMPLETED ? Kind.COMPLETED : ended, failure);
    }

    // ------------------------------------------------------------------ before the items

    private void before() {
        synchronized (this) {
            if (allHaveEnded()) {
                return;
            }
            announcing = true;
        }
        ShardingContexts contexts = contexts();
        ObservedItem.around(
                job, scope.errors().log(), observed::around, () -> LogInterceptor.around(contexts, this::announce));
    }

    private void announce() {
        // If no item may start any more, there is nothing to announce; each item ends by itself.
        Optional<Throwable> failure = items.stream().anyMatch(ItemExecution::mayBegin) ? enterAll() : Optional.empty();
        boolean inVain;
        synchronized (this) {
            announcing = false;
            inVain = allHaveEnded();
        }
        if (inVain) {
            leave();
        } else {
            failure.ifPresentOrElse(this::failAll, () -> items.forEach(scope.bulkhead()::execute));
        }
    }

    /** All begin before one ends: on a fresh worker, none begins afterwards. */
    private void failAll(Throwable cause) {
        List<ItemExecution> begun =
                items.stream().filter(ItemExecution::beginsToFail).toList();
        begun.forEach(item -> item.fail(cause));
    }

    private Optional<Throwable> enterAll() {
        ShardingContexts contexts = contexts();
        for (ElasticJobListener listener : scope.listeners()) {
            Optional<Throwable> failure = call(() -> listener.beforeJobExecuted(contexts));
            if (failure.isPresent()) {
                report(failure.get());
                return failure;
            }
            entered.addFirst(listener);
        }
        return Optional.empty();
    }

    /** A listener that throws because it was interrupted at shutdown has not failed. */
    private void report(Throwable failure) {
        synchronized (this) {
            if (interrupted) {
                return;
            }
        }
        log.warn("Job \"{}\": a listener failed before the firing, so its {} items fail", job, items.size());
        call(() -> scope.errors().failed(job, failure));
    }

    private void refusedBefore(RejectedExecutionException reason) {
        items.forEach(item -> item.refused(reason));
    }

    // ------------------------------------------------------------------ after the items

    private void leave() {
        if (entered.isEmpty()) {
            scope.bulkhead().forget(before);
            end();
        } else {
            scope.bulkhead().executeBeside(FairPool.Task.of(this::after, this::refusedAfter));
        }
    }

    private void after() {
        ShardingContexts contexts = contexts();
        try {
            ObservedItem.around(
                    job,
                    scope.errors().log(),
                    observed::around,
                    () -> LogInterceptor.around(contexts, () -> leaveAll(contexts)));
        } finally {
            end();
        }
    }

    private void leaveAll(ShardingContexts contexts) {
        Map<Integer, ItemOutcome> ends;
        synchronized (this) {
            ends = Collections.unmodifiableSortedMap(new TreeMap<>(outcomes));
        }
        for (ElasticJobListener listener : entered) {
            call(() -> listener.afterJobExecuted(contexts, ends))
                    .ifPresent(failure -> scope.errors()
                            .log()
                            .error(
                                    "Job \"%s\": a listener failed after the firing; nothing else is affected"
                                            .formatted(job),
                                    failure));
        }
    }

    private void refusedAfter(RejectedExecutionException reason) {
        scope.errors()
                .log()
                .error(
                        "Job \"%s\": no thread was available to call the listeners after the firing, so they are not called"
                                .formatted(job),
                        reason);
        end();
    }

    private void end() {
        ObservedItem.guarded(job, scope.errors().log(), observed::ended);
        over.accept(this);
    }

    // ------------------------------------------------------------------ foreign code

    /** Interrupts the listener that is being called, if there is one. */
    synchronized void interrupt() {
        interrupted = true;
        if (thread != null) {
            log.warn("Job \"{}\": interrupting a listener", job);
            thread.interrupt();
        }
    }

    private ShardingContexts contexts() {
        return new ShardingContexts(
                job, items.stream().map(ItemExecution::context).toList());
    }

    /** Calls foreign code on this thread, where {@link #interrupt()} can reach it. */
    private Optional<Throwable> call(Runnable listener) {
        synchronized (this) {
            thread = Thread.currentThread();
            if (interrupted) {
                thread.interrupt();
            }
        }
        try {
            listener.run();
            return Optional.empty();
        } catch (Throwable e) {
            return Optional.of(e);
        } finally {
            synchronized (this) {
                thread = null;
                Thread.interrupted();
            }
        }
    }
}
