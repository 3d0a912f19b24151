package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.claim.ItemDecision.Commit;
import dev.elasticjob.coordination.firing.FiringHooks;
import dev.elasticjob.coordination.item.ItemChange;
import dev.elasticjob.coordination.item.OrphanRecorder;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.coordination.view.Ownership;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One round of claiming: reads the next items, plans, commits, and plans again what was refused.
 *
 * <p>Confined to the coordination executor.
 */
final class ClaimRound {
    private static final int MAX_REFUSALS = 5;

    private final JobScope scope;
    private final JobViewReader reader;
    private final ItemQueue queue;
    private final ItemRoom room;
    private final ClaimCommits commits;
    private final OrphanRecorder orphanRecorder;
    private final UnusableRecords unusable;
    private final FiringHooks hooks;
    private final Runnable clockDiffers;
    private final Function<Ownership, Next> outOfDate;
    private boolean expectsRequests;

    /**
     * @param clockDiffers called when a firing is left to others, because this machine's clock differs
     * @param outOfDate called when the registry has another assignment or configuration than this ownership
     */
    ClaimRound(
            JobScope scope,
            JobViewReader reader,
            ItemQueue queue,
            ClaimCommits commits,
            FiringHooks hooks,
            Runnable clockDiffers,
            Function<Ownership, Next> outOfDate) {
        this.scope = scope;
        this.reader = reader;
        this.queue = queue;
        this.room = queue.room();
        this.commits = commits;
        this.hooks = hooks;
        this.orphanRecorder = new OrphanRecorder(scope);
        this.unusable = new UnusableRecords(scope, queue::want);
        this.clockDiffers = clockDiffers;
        this.outOfDate = outOfDate;
    }

    /** The room that this instance has for the items. */
    ItemRoom room() {
        return room;
    }

    /** Sets the owned items. The records of other items are no longer watched. */
    void follow(Collection<Integer> owned) {
        unusable.retain(owned);
    }

    /** Manual runs may wait: the next read includes them. */
    void expectRequests() {
        expectsRequests = true;
    }

    CompletionStage<Next> begin(Ownership own) {
        return commits.undecided(own.session())
                .map(refused -> commits.decide(refused).thenApply(left -> {
                    queue.wantNext(left.items());
                    queue.wantNext(abandoned(refused.batch().parts()));
                    return Next.AGAIN;
                }))
                .orElseGet(() -> claim(own, queue.next(own, room::skip)));
    }

    private CompletionStage<Next> claim(Ownership own, List<Integer> items) {
        if (items.isEmpty()) {
            return Next.WAIT.stage();
        }
        boolean full = items.size() == JobViewReader.ITEMS_PER_READ;
        return read(own, items)
                .thenCompose(view -> act(own, items, view, 0))
                .whenComplete((next, error) -> {
                    if (error != null) {
                        postpone(items);
                    }
                    queue.tried(items);
                })
                .thenApply(next -> full ? Next.AGAIN : next);
    }

    /** What can't be read, perhaps for long, doesn't keep the other jobs from the room that it waits for. */
    private void postpone(Collection<Integer> items) {
        items.forEach(room::skip);
        queue.wantNext(items);
    }

    private CompletionStage<ItemsView> read(Ownership own, List<Integer> items) {
        if (!expectsRequests) {
            return reader.items(items, own.assignment());
        }
        // If there are more items than one read may contain, the requests of the others are read behind them.
        expectsRequests = false;
        return reader.itemsWithRequests(items, own.assignment());
    }

    /** @param refusals how often a claim of these items has been refused in this round */
    private CompletionStage<Next> act(Ownership own, Collection<Integer> items, ItemsView view, int refusals) {
        if (refusals == MAX_REFUSALS) {
            queue.wantNext(items);
            return Next.AGAIN.stage();
        }
        if (view.epoch() != own.epoch()) {
            return startOver(own, items);
        }
        Optional<Next> unreadable = hooks.seen(view.firings());
        if (unreadable.isPresent()) {
            postpone(items);
            return unreadable.get().stage();
        }
        List<ItemDecision> decisions = plan(own, view);
        if (!decisions.contains(ItemDecision.LEAVE_TO_OTHERS)) {
            return carryOut(own, view, decisions, refusals);
        }
        // The estimate of the registry's time may be old, so it is renewed before a clock is blamed.
        return scope.askTime(own.session()).thenCompose(asked -> carryOut(own, view, plan(own, view), refusals));
    }

    private List<ItemDecision> plan(Ownership own, ItemsView view) {
        return ItemPlanner.plan(
                own,
                view.items().values(),
                new ItemPlanner.Moment(
                        own.now(scope.registryTime()),
                        scope.registryTime().now(),
                        queue.freeSlots(),
                        view.firings().value(),
                        item -> room.has(own, item),
                        queue::helps));
    }

    private CompletionStage<Next> carryOut(Ownership own, ItemsView view, List<ItemDecision> planned, int refusals) {
        List<ItemDecision> decisions = room.admit(own, view.items().keySet(), planned);
        if (decisions.contains(ItemDecision.LEAVE_TO_OTHERS)) {
            clockDiffers.run();
        }
        unusable.look(own.items(), view.items().values());
        queue.comeBack(own, decisions);
        queue.offers().comeBack(decisions);
        List<ItemChange.Orphan> orphans = ItemDecision.only(ItemDecision.RecordOrphan.class, decisions).stream()
                .map(ItemDecision.RecordOrphan::orphan)
                .toList();
        CompletionStage<Next> next = commit(own, view, ItemDecision.only(Commit.class, decisions), refusals)
                .thenCompose(done -> callBefore(decisions, done));
        if (orphans.isEmpty()) {
            return next;
        }
        queue.wantNext(orphans.stream().map(ItemChange::item).toList());
        return next.thenCompose(done -> orphanRecorder.record(own.session(), own.epoch(), orphans))
                .thenApply(recorded -> {
                    hooks.lookAgain();
                    return Next.AGAIN;
                });
    }

    /** The listeners of the cluster are called for one firing at a time, the oldest first. */
    private CompletionStage<Next> callBefore(List<ItemDecision> decisions, Next next) {
        return ItemDecision.only(ItemDecision.CallBefore.class, decisions).stream()
                .min(Comparator.comparing(ItemDecision.CallBefore::firing))
                .map(call -> {
                    hooks.open(call.firing());
                    return next.stage();
                })
                .orElseGet(next::stage);
    }

    private CompletionStage<Next> commit(Ownership own, ItemsView view, List<Commit> changes, int refusals) {
        List<Integer> abandoned = abandoned(changes);
        return commits.send(own, view.firings(), changes).thenCompose(refused -> {
            queue.wantNext(abandoned);
            if (changes.stream().anyMatch(ClaimRound::endsFirings)) {
                hooks.lookAgain();
            }
            return Stages.inOrder(refused, left -> planAnew(own, left, refusals + 1))
                    .thenApply(steps -> abandoned.isEmpty() ? Next.of(steps) : Next.AGAIN);
        });
    }

    private static boolean endsFirings(Commit commit) {
        return !(commit.change() instanceof ItemChange.OldOffers)
                && !(commit.change() instanceof ItemChange.Start start
                        && start.undone().equals(start.view().current()));
    }

    /** A firing may have waited for an interrupted execution that is abandoned now, or behind one that passes. */
    private static List<Integer> abandoned(List<Commit> changes) {
        return changes.stream()
                .filter(commit -> commit.change() instanceof ItemChange.Abandon
                        || (commit.change() instanceof ItemChange.Pass pass && pass.goesOn()))
                .map(Commit::item)
                .toList();
    }

    private CompletionStage<Next> planAnew(Ownership own, ClaimCommits.Left left, int refusals) {
        return left.outOfDate() ? startOver(own, left.items()) : act(own, left.items(), left.view(), refusals);
    }

    /** The items wait for the next ownership, unless it has already arrived. */
    private CompletionStage<Next> startOver(Ownership own, Collection<Integer> items) {
        queue.wantNext(items);
        return outOfDate.apply(own).stage();
    }
}
