package dev.elasticjob.execution;

import dev.elasticjob.coordination.claim.DisabledItems;
import dev.elasticjob.coordination.completion.ClaimedItem;
import dev.elasticjob.coordination.completion.ExecutionResult;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.execution.invoker.Progress;
import dev.elasticjob.job.ElasticJobListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs the claimed items of one job on its threads, and tells how each ended. An item begins only while its lease
 * holds; what is interrupted from here and gives up counts as interrupted, not as failed.
 *
 * <p>Called on the coordination executor, which also hears the ends; the user's code runs on the job's threads.
 */
public final class ItemRunner implements DisabledItems.Listener {
    private final RunScope scope;
    private final List<ElasticJobListener> listeners;
    /** By item: none is executed twice at a time here. */
    private final Map<Integer, ItemExecution> running = new ConcurrentSkipListMap<>();

    private final Queue<FiringExecution> firings = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    /** Items that somebody has disabled while they stream here. */
    private final Set<Integer> disabledItems = ConcurrentHashMap.newKeySet();

    private volatile @Nullable Ownership ownership;
    private volatile boolean stopped;

    /** @param listeners of this job, in order */
    public ItemRunner(RunScope scope, List<ElasticJobListener> listeners) {
        this.scope = scope;
        this.listeners = List.copyOf(listeners);
    }

    /**
     * What this instance owns, and by which definition. Where items run, how many at a time and who hears of failures is as
     * in that from now on. What has not begun when its item is given away never will; a stream ends after its batch when
     * its item is given away, or streams no more.
     */
    public void follow(Ownership next) {
        ownership = next;
        follow(next.definition());
        running.values().forEach(ItemExecution::reconsider);
    }

    /** The same of what there is before anything is owned. */
    public void follow(JobDefinition definition) {
        scope.bulkhead().follow(definition);
        scope.errors().follow(definition);
    }

    /** Hears of executions, on the coordination executor. */
    public interface Hearer {
        /** How far it has come, by its own word; never after its end. */
        void checkpoint(ClaimedItem item, String text);

        /** Its thread has returned, or it never will begin. */
        void ended(ClaimedItem item, ExecutionResult ending);
    }

    /** Runs the items of one claim, with the listeners around them. */
    public void run(List<ClaimedItem> items, Hearer hearer) {
        JobDefinition definition = items.get(0).definition();
        follow(definition);
        Map<Integer, String> parameters = definition.itemParameters();
        var firing = new FiringExecution(definition.jobName(), listeners, scope, this::over);
        firings.add(firing);
        List<ItemExecution> executions = new ArrayList<>();
        for (ClaimedItem item : items) {
            Progress progress = new Progress(item, scope.coordination(), text -> hearer.checkpoint(item, text));
            ItemExecution execution = new ItemExecution(
                    item,
                    parameters.getOrDefault(item.item(), ""),
                    progress,
                    scope,
                    new WantedHere(item, isOwned(ownership, item)),
                    (one, ending, failure) -> {
                        running.remove(item.item(), one);
                        progress.end();
                        scope.coordination().execute(() -> hearer.ended(item, ending));
                        firing.ended(one, ending, failure);
                    });
            running.put(item.item(), execution);
            executions.add(execution);
        }
        firing.begin(executions);
        // The news that an item is given away may have come before the answer to its claim.
        executions.forEach(ItemExecution::reconsider);
    }

    private static boolean isOwned(@Nullable Ownership by, ClaimedItem item) {
        return by != null && by.items().contains(item.item());
    }

    private final class WantedHere implements ItemExecution.Wanted {
        private final ClaimedItem item;
        private final boolean owned;

        /** @param owned whether it was owned when it was claimed: what was taken over from somebody else never is */
        WantedHere(ClaimedItem item, boolean owned) {
            this.item = item;
            this.owned = owned;
        }

        @Override
        public boolean toBegin() {
            Ownership now = ownership;
            return now == null || !item.isMonitored() || now.letsBegin(item.item(), item.taken());
        }

        @Override
        public boolean toStreamOn() {
            Ownership now = ownership;
            return now != null
                    && now.enabled()
                    && now.definition().streamingProcess()
                    && (!owned || isOwned(now, item))
                    && !disabledItems.contains(item.item());
        }
    }

    /** A stream of it ends after its batch. */
    @Override
    public void disabled(int item) {
        disabledItems.add(item);
    }

    @Override
    public void enabled(int item) {
        disabledItems.remove(item);
    }

    private void over(FiringExecution firing) {
        firings.remove(firing);
        tellIdle();
    }

    /** Gives a failure that is no item's to the job's error handler, on one of the job's threads. */
    public void report(String job, Throwable failure) {
        scope.bulkhead().executeBeside(new ErrorReport(job, failure, scope.errors()));
    }

    /**
     * What has not begun never will, and is unclaimed now. What waits for its next attempt ends now too, as interrupted.
     */
    public void beginNothingMore() {
        stopped = true;
        running.values().forEach(ItemExecution::beginNothingMore);
        tellIdle();
    }

    /** Completes, on the coordination executor, when nothing begins any more and all listeners have heard of the ends. */
    public CompletionStage<Void> idle() {
        return idle.copy();
    }

    /** What is executing here, or waits for its turn. */
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

    /** Lets the executions whose lease is over go on, and says so once for each; what waits does not begin. */
    public void goOnWithoutLease() {
        running.values().stream().filter(ItemExecution::isLeaseLost).forEach(execution -> {
            execution.goOn();
            execution.reconsider();
        });
    }
}
