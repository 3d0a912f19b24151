package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.firing.EndedFirings;
import dev.elasticjob.coordination.firing.FiringHooks;
import dev.elasticjob.coordination.firing.FollowUps;
import dev.elasticjob.coordination.firing.HookClaim;
import dev.elasticjob.coordination.item.CancelledItems;
import dev.elasticjob.coordination.item.Checkpoints;
import dev.elasticjob.coordination.item.ClaimedItem;
import dev.elasticjob.coordination.item.Completion;
import dev.elasticjob.coordination.item.CompletionWriter;
import dev.elasticjob.coordination.item.ExecutionResult;
import dev.elasticjob.coordination.item.LocalItemLocks;
import dev.elasticjob.coordination.session.Capacity;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.state.Cancellation;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.Ownership;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The items of one job on this instance, from the moment when they may be due until their end is written. {@link
 * ClaimRound} claims them, and {@link CompletionWriter} writes their results. Only scheduled executions without
 * monitoring take another way: {@link UnmonitoredFirings}.
 *
 * <p>Confined to the coordination executor.
 */
public final class ItemClaims {
    private final JobScope scope;
    private final LocalItemLocks held;
    private final ClaimRound round;
    private final ClaimCommits commits;
    private final CompletionWriter completions;
    private final Checkpoints checkpoints;
    private final CancelledItems cancelledItems;
    private final FailoverCoordinator failoverCoordinator;
    private final ItemQueue queue;
    private final ItemRoom room;
    private final UnmonitoredFirings unmonitored;
    private final RuleRounds rules;
    private final Runnable outOfDate;
    private final Consumer<List<ClaimedItem>> claimed;
    private final FiringHooks hooks;
    private final ReconcileLoop loop;
    private final UnclaimBackoff backoff = new UnclaimBackoff();

    /** Items that were claimed here and whose end is not written. */
    private final Map<Integer, ClaimedItem> owed = new HashMap<>();

    private @Nullable Ownership ownership;
    private boolean stopped;
    private final CompletableFuture<Void> idle = new CompletableFuture<>();

    /**
     * What executes items here.
     *
     * @param begin receives the items to run now
     * @param cancel receives executions that were cancelled
     * @param begun whether a claimed item has had a thread
     */
    public record Executions(
            Consumer<List<ClaimedItem>> begin, BiConsumer<ClaimedItem, Cancellation> cancel, IntPredicate begun) {}

    /**
     * What the job's settings have the registry changed for, besides claims.
     *
     * @param pause pauses the job after failures
     * @param overlap cancels executions for the next firing
     */
    public record Rules(PauseRule pause, OverlapRule overlap) {}

    /**
     * @param held the items of the job that this process holds
     * @param outOfDate called when the registry has another assignment or configuration than this instance
     * @param executions receives the items to run now, and those to end
     * @param calls this instance's listeners of the whole cluster
     * @param rules carried out where items need it
     */
    public ItemClaims(
            JobScope scope,
            LocalItemLocks held,
            Capacity slots,
            Runnable outOfDate,
            Executions executions,
            FiringHooks.Calls calls,
            Rules rules) {
        this.scope = scope;
        this.held = held;
        this.outOfDate = outOfDate;
        this.claimed = executions.begin();
        JobViewReader reader =
                held.capacity().limit().isPresent() ? JobViewReader.withOffers(scope) : new JobViewReader(scope);
        this.cancelledItems = new CancelledItems(scope, reader, owed::values, executions.cancel());
        this.commits = new ClaimCommits(scope, reader, this::begun, cancelledItems::look);
        this.completions = new CompletionWriter(scope, reader, this::settled);
        this.checkpoints = new Checkpoints(scope, reader);
        this.loop = scope.loop("claims", this::next);
        this.rules = new RuleRounds(
                scope,
                rules,
                item -> owed.containsKey(item) && !executions.begun().test(item),
                outOfDate);
        this.queue = new ItemQueue(scope, held, slots, this::readAll, loop::again, this::pauseOver, this.rules);
        this.hooks = new FiringHooks(
                scope,
                new EndedFirings(scope, reader, held),
                held,
                new FollowUps(scope),
                calls,
                this::readAll,
                outOfDate);
        this.round = new ClaimRound(scope, reader, queue, commits, hooks, outOfDate, this::outOfDate);
        this.room = round.room();
        this.unmonitored = new UnmonitoredFirings(scope, held, reader, room.tooHeavy(), executions.begin());
        this.failoverCoordinator = new FailoverCoordinator(scope, slots, queue::take, room::stillInterrupted);
    }

    /** Claims according to this ownership from now on. */
    public void follow(Ownership next) {
        if (stopped) {
            return;
        }
        Ownership before = ownership;
        ownership = next;
        Set<Integer> wanted = new TreeSet<>(next.items());
        if (before != null && before.isDueLike(next)) {
            wanted.removeAll(before.items());
        }
        queue.wantNext(wanted);
        room.follow(next);
        round.follow(next.items());
        failoverCoordinator.follow(next);
        hooks.follow(next);
        rules.follow();
        if (next.assignment().monitored()) {
            unmonitored.suspend();
        } else {
            unmonitored.follow(next);
        }
        loop.again();
    }

    public void suspend() {
        ownership = null;
        room.suspend();
        failoverCoordinator.suspend();
        hooks.suspend();
        unmonitored.suspend();
    }

    /** The job is due, according to this instance's timer. */
    public void fire() {
        Ownership own = ownership;
        if (own != null && !own.assignment().monitored()) {
            unmonitored.fire();
        } else {
            readAll();
        }
    }

    /**
     * The local clock differs from the registry's, as far as that is known. The registry is asked: the known time is behind
     * if this machine has stood still. Then more may be due.
     */
    public void compareClocks() {
        Ownership own = ownership;
        if (own != null) {
            scope.askTime(own.session()).thenRun(() -> {
                if (own.assignment().monitored()) {
                    readAll();
                }
            });
        }
    }

    /** A manual run may be waiting, so all owned items are read. */
    public void asked() {
        round.expectRequests();
        readAll();
    }

    private void readAll() {
        Ownership own = ownership;
        if (own != null) {
            queue.wantNext(own.items());
            loop.again();
        }
    }

    /** Operators may have cancelled what is executed here. */
    public void lookForCancelled() {
        cancelledItems.look();
        hooks.lookForCancelled();
    }

    private CompletionStage<Next> next() {
        Ownership own = ownership;
        if (own == null || stopped || !scope.connection().isIn(own.session())) {
            queue.triedAll();
            return Next.WAIT.stage();
        }
        return round.begin(own);
    }

    private Next outOfDate(Ownership own) {
        if (!own.equals(ownership)) {
            return Next.AGAIN;
        }
        outOfDate.run();
        return Next.WAIT;
    }

    /** If this process still holds an item for another execution, the item doesn't run and its claim is undone. */
    private void begun(List<ClaimedItem> claims) {
        List<ClaimedItem> begin = new ArrayList<>();
        for (ClaimedItem claim : claims) {
            owed.put(claim.item(), claim);
            queue.offers().begun(claim.item());
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

    /** Stores the progress of a running execution: soon, and at the latest with its end. */
    public void checkpoint(ClaimedItem item, String text) {
        checkpoints.keep(item, text);
    }

    /** The item's thread has returned, or will never start. */
    public void ended(ClaimedItem item, ExecutionResult ending) {
        if (item.isMonitored()) {
            completions.add(Completion.of(item, ending, checkpoints.end(item)));
        } else {
            if (!(ending instanceof ExecutionResult.Unclaimed)) {
                backoff.threadGiven();
            }
            unmonitored.ended(item, ending);
            reportIdle();
        }
    }

    /** The end of an item is written, or another instance has taken over. The item may be due again. */
    private void settled(Completion completion) {
        ClaimedItem claim = completion.claim();
        int item = claim.item();
        owed.remove(item, claim);
        boolean wanted = queue.ended(item);
        held.release(claim);
        claim.room().close();
        hooks.lookAgain();
        if (claim.definition().pauseAfterFailures() > 0
                && completion.next().hasFailed(claim.definition().pauseAfterFailures())) {
            rules.failedTooOften(item);
        }
        if (completion.ending() instanceof ExecutionResult.Unclaimed unclaimed) {
            queue.rest(item);
            scope.connection().later(backoff.after(item, unclaimed), () -> rested(item));
        } else {
            backoff.threadGiven();
            if (wanted || completion.next().state() == ItemState.INTERRUPTED || isBehind(claim)) {
                queue.want(item);
            }
        }
        reportIdle();
    }

    private boolean isBehind(ClaimedItem ended) {
        Ownership own = ownership;
        return own != null
                && own.isBehind(ended.item(), ended.claimed(), scope.clock().instant());
    }

    /**
     * The owner reads the item, and all instances take part in the failover, because the owner may have no free slot.
     */
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

    // ------------------------------------------------------------------ the end

    /** Whether no item is claimed or running here, and every end is written. */
    public boolean isIdle() {
        return owed.isEmpty() && unmonitored.isIdle() && hooks.isIdle();
    }

    /** Somebody else may have ended a firing, and died before seeing that. */
    public void lookAgain() {
        hooks.lookAgain();
    }

    /** The listeners of the whole cluster have returned here, or were cut off. */
    public void ended(HookClaim call, HookClaim.Result result) {
        hooks.ended(call, result);
    }

    /** @return completes when it is idle */
    public CompletionStage<Void> stop() {
        stopped = true;
        room.suspend();
        queue.offers().stop();
        failoverCoordinator.stop();
        unmonitored.stop();
        rules.stop();
        return loop.stop()
                .thenCompose(resting -> {
                    queue.stop();
                    round.follow(Set.of());
                    return commits.decideAll();
                })
                .thenCompose(decided -> hooks.stop())
                .thenCompose(called -> {
                    reportIdle();
                    return idle;
                });
    }

    private void reportIdle() {
        if (stopped && isIdle()) {
            idle.complete(null);
        }
    }
}
