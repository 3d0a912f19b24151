package dev.elasticjob.execution;

import dev.elasticjob.coordination.item.ClaimedItem;
import dev.elasticjob.coordination.item.ExecutionResult;
import dev.elasticjob.coordination.progress.ItemProgress;
import dev.elasticjob.coordination.state.ItemRanges;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.coordination.watchdog.ExecutionProgress;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext.Requester;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the claimed items of one job, and reports how each ended. An item starts only while its lease holds.
 *
 * <p>Called on the coordination executor, on which it also reports. The job's code runs on the job's threads.
 */
public final class ItemRunner {
    private static final Logger log = LoggerFactory.getLogger(ItemRunner.class);

    private final RunScope scope;
    private final IntPredicate disabled;
    private final Results results;
    /** The running items: no item runs twice at the same time here. */
    private final Map<Integer, ItemExecution> running = new ConcurrentSkipListMap<>();

    private final Queue<FiringExecution> firings = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> idle = new CompletableFuture<>();

    private volatile @Nullable Ownership ownership;
    private volatile boolean stopped;

    /** @param disabled whether a running item has been disabled; called on any thread */
    public ItemRunner(RunScope scope, IntPredicate disabled, Results results) {
        this.scope = scope;
        this.disabled = disabled;
        this.results = results;
    }

    /**
     * Follows the items that this instance owns, and their definition. An item that is given away before it has started
     * never starts. A stream ends after its batch if its item is given away, or streaming is switched off.
     */
    public void follow(Ownership next) {
        ownership = next;
        follow(next.definition());
        running.values().forEach(ItemExecution::reconsider);
    }

    /** Applies the definition's executor, concurrency and error handler from now on. */
    public void follow(JobDefinition definition) {
        scope.bulkhead().follow(definition);
        scope.errors().follow(definition);
    }

    /** Receives the results of executions, on the coordination executor. */
    public interface Results {
        /** Receives a checkpoint of a running execution. */
        void checkpoint(ClaimedItem item, String text);

        /**
         * A running execution reports its progress from now on.
         *
         * @param latest its latest report, until its end
         */
        void progress(ClaimedItem item, Supplier<ItemProgress> latest);

        /** The execution's thread has returned, or will never start. */
        void ended(ClaimedItem item, ExecutionResult result);
    }

    /** Runs the items of one claim, with the listeners around them. */
    public void run(List<ClaimedItem> items) {
        JobDefinition definition = items.get(0).definition();
        follow(definition);
        Map<Integer, String> parameters = definition.itemParameters();
        var firing = new FiringExecution(definition.jobName(), scope, this::over);
        firings.add(firing);
        logRequesters(definition.jobName(), items);
        List<ItemExecution> executions = items.stream()
                .map(item -> new ItemExecution(
                        item, parameters.getOrDefault(item.item(), ""), scope, new Around(item, firing)))
                .toList();
        executions.forEach(execution -> running.put(execution.item().item(), execution));
        firing.begin(executions);
        // The notice that an item is given away may arrive before the answer to its claim.
        executions.forEach(ItemExecution::reconsider);
    }

    private record Requested(String runId, Requester by) {}

    /** One line for each manual run: it may have thousands of items. */
    private static void logRequesters(String jobName, List<ClaimedItem> items) {
        Map<Requested, List<Integer>> runs = new LinkedHashMap<>();
        items.forEach(item -> item.requester()
                .ifPresent(by -> runs.computeIfAbsent(new Requested(item.runId(), by), any -> new ArrayList<>())
                        .add(item.item())));
        runs.forEach((run, its) -> log.info(
                "Job \"{}\": this instance starts items [{}] of run \"{}\", which {} requested{}",
                jobName,
                ItemRanges.text(its.stream().sorted().toList()),
                run.runId(),
                run.by().actor(),
                run.by().reason().isEmpty() ? "" : ". Reason: " + run.by().reason()));
    }

    /** What surrounds an execution here. */
    private final class Around implements ItemExecution.Surroundings {
        private final ClaimedItem item;
        private final FiringExecution firing;
        private final ObservedItem observed;
        /** False for an item that was taken over: no change of ownership concerns it. One that is helped isn't owned at all. */
        private final boolean owned;

        Around(ClaimedItem item, FiringExecution firing) {
            this.item = item;
            this.firing = firing;
            this.observed = firing.observedItem();
            this.owned = item.helped() || isOwned(ownership, item);
        }

        @Override
        public ObservedItem observed() {
            return observed;
        }

        @Override
        public boolean letsBegin() {
            Ownership now = ownership;
            return now == null || !item.isMonitored() || now.letsBegin(item.item(), item.taken() || item.helped());
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
        public void progress(Supplier<ItemProgress> latest) {
            results.progress(item, latest);
        }

        @Override
        public void ended(ItemExecution execution, ExecutionResult result, Optional<Throwable> failure) {
            running.remove(item.item(), execution);
            scope.coordination().execute(() -> results.ended(item, result));
            firing.ended(execution, result, failure);
        }
    }

    private static boolean isOwned(@Nullable Ownership by, ClaimedItem item) {
        return by != null && by.items().contains(item.item());
    }

    private void over(FiringExecution firing) {
        firings.remove(firing);
        tellIdle();
    }

    /**
     * Items that have not started never will, and are unclaimed now. Those between two attempts end now as interrupted.
     */
    public void beginNothingMore() {
        stopped = true;
        running.values().forEach(ItemExecution::beginNothingMore);
        tellIdle();
    }

    /**
     * Lets end what has begun, retries included. To be called when {@link FirstExecutions} lets nothing else begin: what has
     * not is unclaimed now.
     */
    public void endWhatHasBegun() {
        stopped = true;
        running.values().forEach(ItemExecution::reconsider);
        tellIdle();
    }

    /** Completes, on the coordination executor, once nothing more may start and all items and listeners have ended. */
    public CompletionStage<Void> idle() {
        return idle.copy();
    }

    /** The items that run here, or wait for their turn. */
    public NavigableSet<Integer> items() {
        // Copied one by one: the copy constructor of a sorted set fails if an item ends at the same time, on its own
        // thread.
        return running.keySet().stream().collect(Collectors.toCollection(TreeSet::new));
    }

    /** How far the execution of an item has come here; empty if it has not begun. */
    public Optional<ExecutionProgress> progress(int item) {
        return Optional.ofNullable(running.get(item)).flatMap(ItemExecution::progress);
    }

    /** Whether no item and no listener runs. */
    public boolean isIdle() {
        return firings.isEmpty();
    }

    private void tellIdle() {
        if (stopped && firings.isEmpty()) {
            scope.coordination().execute(() -> idle.complete(null));
        }
    }

    /**
     * Interrupts an execution that operators have cancelled. It has failed then, and is not retried. Repeated calls have no
     * effect.
     */
    public void cancel(ClaimedItem item, String reason) {
        ItemExecution execution = running.get(item.item());
        if (execution != null && execution.item().equals(item)) {
            execution.cancel(reason);
        }
    }

    public void interruptAll(String reason) {
        running.values().forEach(execution -> execution.interrupt(reason));
        firings.forEach(FiringExecution::interrupt);
    }

    /** Interrupts the executions whose lease has ended. */
    public void interruptWithoutLease() {
        running.values().stream()
                .filter(ItemExecution::isLeaseLost)
                .forEach(execution -> execution.interrupt("its registry session may have expired"));
    }

    /** Lets the executions whose lease has ended continue, and logs it once for each. Those that wait don't start. */
    public void goOnWithoutLease() {
        running.values().stream().filter(ItemExecution::isLeaseLost).forEach(execution -> {
            execution.goOn();
            execution.reconsider();
        });
    }
}
