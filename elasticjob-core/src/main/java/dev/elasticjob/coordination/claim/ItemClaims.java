package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.claim.ItemPlanner.ItemPlan;
import dev.elasticjob.coordination.completion.Checkpoints;
import dev.elasticjob.coordination.completion.ClaimedItem;
import dev.elasticjob.coordination.completion.Completion;
import dev.elasticjob.coordination.completion.CompletionWriter;
import dev.elasticjob.coordination.completion.ExecutionResult;
import dev.elasticjob.coordination.completion.LocalItemLocks;
import dev.elasticjob.coordination.failover.FailoverCoordinator;
import dev.elasticjob.coordination.failover.ItemChange;
import dev.elasticjob.coordination.failover.ItemChange.Drop;
import dev.elasticjob.coordination.failover.OrphanRecorder;
import dev.elasticjob.coordination.session.Capacity;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.coordination.view.Ownership;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The items of one job on this instance: looks at those that may be due, claims them in one transaction, and writes
 * how they ended. An item is held from its claim until its end is written; while it is held, it is not looked at. Only
 * the firings of a job without monitoring take another way: {@link UnmonitoredFirings}.
 *
 * <p>Confined to the coordination executor.
 */
public final class ItemClaims {
    private static final int REFUSALS_PER_ROUND = 5;
    private static final CompletionStage<Boolean> NOTHING_MORE = CompletableFuture.completedFuture(false);
    private static final CompletionStage<Boolean> ONCE_MORE = CompletableFuture.completedFuture(true);

    private final JobScope scope;
    private final LocalItemLocks held;
    private final JobViewReader reader;
    private final ClaimCommits commits;
    private final OrphanRecorder orphanRecorder;
    private final CompletionWriter completions;
    private final Checkpoints checkpoints;
    private final Capacity slots;
    private final FailoverCoordinator failoverCoordinator;
    private final PlanWarnings complaints;
    private final SettingsWatch refusalWatch;
    private final ItemQueue queue;
    private final UnusableRecords unusable;
    private final UnmonitoredFirings unmonitored;
    private final Runnable outOfDate;
    private final Consumer<List<ClaimedItem>> claimed;
    private final ReconcileLoop loop;
    private final UnclaimBackoff rests = new UnclaimBackoff();

    /** What was claimed here and owes an end. */
    private final Map<Integer, ClaimedItem> owed = new HashMap<>();

    private @Nullable Ownership ownership;
    private boolean stopped;
    private final CompletableFuture<Void> idle = new CompletableFuture<>();

    /**
     * @param held what this process holds of the job's items
     * @param outOfDate called when the registry knows another assignment or configuration than this instance
     * @param claimed gets what is to be executed now
     */
    public ItemClaims(
            JobScope scope,
            LocalItemLocks held,
            Capacity slots,
            Runnable outOfDate,
            Consumer<List<ClaimedItem>> claimed) {
        this.scope = scope;
        this.held = held;
        this.slots = slots;
        this.outOfDate = outOfDate;
        this.claimed = claimed;
        this.reader = new JobViewReader(scope);
        this.commits = new ClaimCommits(scope, reader, this::begun);
        this.orphanRecorder = new OrphanRecorder(scope);
        this.completions = new CompletionWriter(scope, reader, this::settled);
        this.checkpoints = new Checkpoints(scope, reader);
        this.complaints = new PlanWarnings(scope);
        this.refusalWatch = new SettingsWatch(scope, outOfDate);
        this.loop = new ReconcileLoop(
                "Items of job \"" + scope.jobName() + "\"", scope.connection(), scope.executor(), this::look);
        this.queue = new ItemQueue(scope, held, slots, this::asked, loop::again, this::pauseOver);
        this.unusable = new UnusableRecords(scope, queue::want);
        this.unmonitored = new UnmonitoredFirings(scope, held, reader, claimed);
        this.failoverCoordinator = new FailoverCoordinator(scope, slots, queue::take);
    }

    /** Claims by this ownership from now on. */
    public void follow(Ownership next) {
        if (stopped) {
            return;
        }
        Ownership before = ownership;
        ownership = next;
        if (before == null || !before.isDueLike(next)) {
            queue.wantNext(next.items());
        } else {
            Set<Integer> gained = new TreeSet<>(next.items());
            gained.removeAll(before.items());
            queue.wantNext(gained);
        }
        unusable.retain(next.items());
        failoverCoordinator.follow(next);
        if (next.assignment().monitored()) {
            unmonitored.suspend();
        } else {
            unmonitored.follow(next);
        }
        loop.again();
    }

    /** Claims nothing until the next ownership. */
    public void suspend() {
        ownership = null;
        failoverCoordinator.suspend();
        unmonitored.suspend();
    }

    /** The job is due by this instance's timer. */
    public void fire() {
        Ownership own = ownership;
        if (own != null && !own.assignment().monitored()) {
            unmonitored.fire();
        } else {
            asked();
        }
    }

    /** Somebody has asked for a manual run: looks at all owned items. */
    public void asked() {
        Ownership own = ownership;
        if (own != null) {
            queue.wantNext(own.items());
            loop.again();
        }
    }

    /** The item's thread has returned, or will never begin. */
    public void ended(ClaimedItem item, ExecutionResult ending) {
        if (item.isMonitored()) {
            completions.add(Completion.of(item, ending, checkpoints.end(item)));
        } else {
            unmonitored.ended(item, ending);
            tellIdle();
        }
    }

    /** How far an execution that has not ended has come, by its own word: written soon, at the latest with its end. */
    public void checkpoint(ClaimedItem item, String text) {
        checkpoints.keep(item, text);
    }

    /** Whether nothing executes here, or is claimed, and every end is written. */
    public boolean isIdle() {
        return owed.isEmpty() && unmonitored.isIdle();
    }

    /**
     * Claims nothing more.
     *
     * @return completes when it is idle
     */
    public CompletionStage<Void> stop() {
        stopped = true;
        failoverCoordinator.stop();
        unmonitored.stop();
        refusalWatch.close();
        return loop.stop()
                .thenComposeAsync(resting -> endLooks(), scope.executor())
                .thenComposeAsync(
                        decided -> {
                            tellIdle();
                            return idle;
                        },
                        scope.executor());
    }

    private CompletionStage<Void> endLooks() {
        queue.stop();
        unusable.retain(new TreeSet<>());
        return commits.decideAll(0);
    }

    private void tellIdle() {
        if (stopped && isIdle()) {
            idle.complete(null);
        }
    }

    // ------------------------------------------------------------------ one look

    private CompletionStage<Boolean> look() {
        Ownership own = ownership;
        if (own == null || stopped || !isCurrent(own)) {
            queue.triedAll();
            return NOTHING_MORE;
        }
        Optional<RefusedClaims.Refused> refused = commits.undecided(own.session());
        if (refused.isPresent()) {
            return decide(refused.get());
        }
        List<Integer> items = queue.next(own);
        if (items.isEmpty()) {
            return NOTHING_MORE;
        }
        boolean full = items.size() == JobViewReader.ITEMS_PER_READ;
        return reader.items(items)
                .thenComposeAsync(view -> act(own, items, view), scope.executor())
                .whenCompleteAsync(
                        (more, error) -> {
                            if (error != null) {
                                queue.wantNext(items);
                            }
                            queue.tried(items);
                        },
                        scope.executor())
                .thenApply(more -> more || full);
    }

    private CompletionStage<Boolean> decide(RefusedClaims.Refused refused) {
        return commits.decide(refused)
                .thenApplyAsync(
                        left -> {
                            queue.wantNext(left.items());
                            return true;
                        },
                        scope.executor());
    }

    private boolean isCurrent(Ownership own) {
        return scope.connection()
                .session()
                .filter(session -> session.id() == own.session().id())
                .isPresent();
    }

    private CompletionStage<Boolean> act(Ownership own, Collection<Integer> items, ItemsView view) {
        return act(own, items, view, 0);
    }

    /** @param refusals how often a claim of these items has been refused in this round */
    private CompletionStage<Boolean> act(Ownership own, Collection<Integer> items, ItemsView view, int refusals) {
        if (refusals == REFUSALS_PER_ROUND) {
            queue.wantNext(items);
            return ONCE_MORE;
        }
        if (view.epoch() != own.epoch()) {
            return startOver(own, items);
        }
        ItemPlan plan = plan(own, view);
        if (!plan.clockDiffers()) {
            return carryOut(own, view, plan, refusals);
        }
        // Before a clock is blamed, what is known of the registry's is made sure of.
        return scope.askTime(own.session())
                .thenComposeAsync(asked -> carryOut(own, view, plan(own, view), refusals), scope.executor());
    }

    private ItemPlan plan(Ownership own, ItemsView view) {
        return ItemPlanner.plan(
                own,
                view.items().values(),
                new ItemPlanner.Moment(
                        scope.clock().instant(), scope.registryTime().now(), slots.free()));
    }

    private CompletionStage<Boolean> carryOut(Ownership own, ItemsView view, ItemPlan plan, int refusals) {
        complaints.tell(own, plan);
        if (plan.clockDiffers()) {
            refusalWatch.refused();
        }
        unusable.look(own.items(), view.items().values());
        queue.comeBack(own, plan);
        CompletionStage<Boolean> more = claim(own, plan, refusals);
        if (plan.orphans().isEmpty()) {
            return more;
        }
        queue.wantNext(plan.orphans().stream().map(ItemChange::item).toList());
        return more.thenComposeAsync(
                done -> orphanRecorder.record(own.session(), own.epoch(), plan.orphans()), scope.executor());
    }

    /** What this instance knows is out of date: the items wait for the next word, unless it has come meanwhile. */
    private CompletionStage<Boolean> startOver(Ownership own, Collection<Integer> items) {
        queue.wantNext(items);
        if (!own.equals(ownership)) {
            return ONCE_MORE;
        }
        outOfDate.run();
        return NOTHING_MORE;
    }

    // ------------------------------------------------------------------ claiming

    private CompletionStage<Boolean> claim(Ownership own, ItemPlan plan, int refusals) {
        List<Integer> dropped = plan.changes().stream()
                .filter(Drop.class::isInstance)
                .map(ItemChange::item)
                .toList();
        return commits.send(own, plan)
                .thenComposeAsync(
                        refused -> {
                            if (!refused.isEmpty() || dropped.isEmpty()) {
                                return planAnew(own, refused, refusals + 1);
                            }
                            // Behind what is given up, a firing may have waited.
                            queue.wantNext(dropped);
                            return ONCE_MORE;
                        },
                        scope.executor());
    }

    private CompletionStage<Boolean> planAnew(Ownership own, List<ClaimCommits.Left> refused, int refusals) {
        CompletionStage<Boolean> more = NOTHING_MORE;
        for (ClaimCommits.Left left : refused) {
            more = more.thenComposeAsync(
                    soFar -> (left.outOfDate()
                                    ? startOver(own, left.items())
                                    : act(own, left.items(), left.view(), refusals))
                            .thenApply(now -> soFar || now),
                    scope.executor());
        }
        return more;
    }

    /** Nobody executes what another source, or an earlier run of the engine, still holds here: as if not claimed. */
    private void begun(List<ClaimedItem> claims) {
        List<ClaimedItem> begin = new ArrayList<>();
        for (ClaimedItem claim : claims) {
            owed.put(claim.item(), claim);
            if (!stopped && held.hold(claim)) {
                begin.add(claim);
            } else {
                ended(claim, new ExecutionResult.Unclaimed());
            }
        }
        if (!begin.isEmpty()) {
            claimed.accept(begin);
        }
    }

    // ------------------------------------------------------------------ ends

    /** The end of an item is written, or somebody has gone on with it; it may be due again. */
    private void settled(Completion completion) {
        ClaimedItem claim = completion.claim();
        owed.remove(claim.item(), claim);
        boolean asked = queue.ended(claim.item());
        held.release(claim);
        Ownership own = ownership;
        if (completion.ending() instanceof ExecutionResult.Unclaimed unclaimed) {
            queue.rest(claim.item());
            scope.connection().later(rests.after(claim.item(), unclaimed), () -> rested(claim.item()));
            tellIdle();
            return;
        }
        rests.threadGiven();
        if (asked
                || completion.next().state() == ItemState.INTERRUPTED
                || (own != null && own.isBehind(claim.claimed(), scope.clock().instant()))) {
            queue.want(claim.item());
        }
        tellIdle();
    }

    /** Its owner looks at it, and all others share it out in turn: the owner may have no room for it. */
    private void pauseOver(int item) {
        Ownership own = ownership;
        if (own != null && own.items().contains(item)) {
            queue.want(item);
        } else {
            failoverCoordinator.lookAgain();
        }
    }

    private void rested(int item) {
        queue.rested(item);
        failoverCoordinator.lookAgain();
    }
}
