package dev.elasticjob.execution;

import dev.elasticjob.coordination.completion.ClaimedItem;
import dev.elasticjob.coordination.completion.ExecutionResult;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.definition.JobDefinition;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs the claimed items of one job on its threads, and reports how each ended. An item begins only while its lease holds.
 *
 * <p>Called on the coordination executor, on which it also reports; the user's code runs on the job's threads.
 */
public final class ItemRunner {
    private final RunScope scope;
    private final IntPredicate disabled;
    private final Results results;
    /** By item: none is executed twice at the same time here. */
    private final Map<Integer, ItemExecution> running = new ConcurrentSkipListMap<>();

    private final Queue<FiringExecution> firings = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> idle = new CompletableFuture<>();

    private volatile @Nullable Ownership ownership;
    private volatile boolean stopped;

    /** @param disabled whether an item has been disabled while it executes here; called on any thread */
    public ItemRunner(RunScope scope, IntPredicate disabled, Results results) {
        this.scope = scope;
        this.disabled = disabled;
        this.results = results;
    }

    /**
     * Follows what this instance owns, and by which definition. An item that has not begun when it is given away never
     * will; a stream ends after its batch when its item is given away, or is to stream no more.
     */
    public void follow(Ownership next) {
        ownership = next;
        follow(next.definition());
        running.values().forEach(ItemExecution::reconsider);
    }

    /** From now on, runs items where the definition says, as many at the same time, and with its error handler. */
    public void follow(JobDefinition definition) {
        scope.bulkhead().follow(definition);
        scope.errors().follow(definition);
    }

    /** Receives the results of executions, on the coordination executor. */
    public interface Results {
        /** A checkpoint that the execution has set; never after its end. */
        void checkpoint(ClaimedItem item, String text);

        /** The execution's thread has returned, or it never will begin. */
        void ended(ClaimedItem item, ExecutionResult result);
    }

    /** Runs the items of one claim, with the listeners around them. */
    public void run(List<ClaimedItem> items) {
        JobDefinition definition = items.get(0).definition();
        follow(definition);
        Map<Integer, String> parameters = definition.itemParameters();
        var firing = new FiringExecution(definition.jobName(), scope, this::over);
        firings.add(firing);
        List<ItemExecution> executions = items.stream()
                .map(item ->
                        new ItemExecution(item, parameters.getOrDefault(item.item(), ""), scope, around(item, firing)))
                .toList();
        executions.forEach(execution -> running.put(execution.item().item(), execution));
        firing.begin(executions);
        // The news that an item is given away may have come before the answer to its claim.
        executions.forEach(ItemExecution::reconsider);
    }

    private ItemExecution.Surroundings around(ClaimedItem item, FiringExecution firing) {
        // Not if it was taken over from another instance: then no change of ownership concerns it.
        boolean owned = isOwned(ownership, item);
        ObservedItem observed = new ObservedItem(item.jobName(), firing::observed);
        return new ItemExecution.Surroundings() {
            @Override
            public ObservedItem observed() {
                return observed;
            }

            @Override
            public boolean letsBegin() {
                Ownership now = ownership;
                return now == null || !item.isMonitored() || now.letsBegin(item.item(), item.taken());
            }

            @Override
            public boolean letsStreamOn() {
                Ownership now = ownership;
                return now != null
                        && now.enabled()
                        && now.definition().streamingProcess()
                        && (!owned || isOwned(now, item))
                        && !disabled.test(item.item());
            }

            @Override
            public void checkpoint(String text) {
                results.checkpoint(item, text);
            }

            @Override
            public void ended(ItemExecution execution, ExecutionResult result, Optional<Throwable> failure) {
                running.remove(item.item(), execution);
                scope.coordination().execute(() -> results.ended(item, result));
                firing.ended(execution, result, failure);
            }
        };
    }

    private static boolean isOwned(@Nullable Ownership by, ClaimedItem item) {
        return by != null && by.items().contains(item.item());
    }

    private void over(FiringExecution firing) {
        firings.remove(firing);
        tellIdle();
    }

    /** Items that have not begun never will, and are unclaimed now; those between two attempts end now as interrupted. */
    public void beginNothingMore() {
        stopped = true;
        running.values().forEach(ItemExecution::beginNothingMore);
        tellIdle();
    }

    /** Completes, on the coordination executor, when nothing begins any more and all listeners have returned. */
    public CompletionStage<Void> idle() {
        return idle.copy();
    }

    /** Items that are executing here, or wait for their turn. */
    public NavigableSet<Integer> items() {
        // One by one: a copy of a sorted set as a whole fails where an item ends meanwhile, on its own thread.
        return running.keySet().stream().collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether nothing runs, nor a listener. */
    public boolean isIdle() {
        return firings.isEmpty();
    }

    private void tellIdle() {
        if (stopped && firings.isEmpty()) {
            scope.coordination().execute(() -> idle.complete(null));
        }
    }

    /** Interrupts all executions. */
    public void interruptAll(String reason) {
        running.values().forEach(execution -> execution.interrupt(reason));
        firings.forEach(FiringExecution::interrupt);
    }

    /** Interrupts the executions whose lease is over. */
    public void interruptWithoutLease() {
        running.values().stream()
                .filter(ItemExecution::isLeaseLost)
                .forEach(execution -> execution.interrupt("its registry session may have expired"));
    }

    /** Lets the executions whose lease is over go on, and logs it once for each; those that wait do not begin. */
    public void goOnWithoutLease() {
        running.values().stream().filter(ItemExecution::isLeaseLost).forEach(execution -> {
            execution.goOn();
            execution.reconsider();
        });
    }
}
