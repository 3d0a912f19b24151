package dev.elasticjob.coordination;

import dev.elasticjob.coordination.ItemChange.Drop;
import dev.elasticjob.coordination.ItemPlanner.ItemPlan;
import dev.elasticjob.coordination.JobViewReader.ItemsView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The items of one job on this instance: looks at those that may be due, claims them in one transaction, and writes
 * how they ended. An item is held from its claim until its end is written; while it is held, it is not looked at.
 *
 * <p>Confined to the coordination executor.
 */
public final class ItemClaims implements ItemSource {
    private static final int REFUSALS_PER_ROUND = 5;
    private static final int PAUSE_AFTER_UNCLAIM = 3;
    private static final CompletionStage<Boolean> NOTHING_MORE = CompletableFuture.completedFuture(false);
    private static final CompletionStage<Boolean> ONCE_MORE = CompletableFuture.completedFuture(true);

    private final JobScope scope;
    private final HeldItems held;
    private final JobViewReader reader;
    private final ClaimCommits commits;
    private final Interruptions interruptions;
    private final Settlements settlements;
    private final Slots slots;
    private final Takeovers takeovers;
    private final MisfireMarks marks;
    private final Complaints complaints;
    private final LockEnds lockEnds;
    private final Runnable outOfDate;
    private final Consumer<List<ClaimedItem>> claimed;
    private final Rounds rounds;

    private final NavigableSet<Integer> wanted = new TreeSet<>();
    /** Held items that something is to be done for, once they are not. */
    private final Set<Integer> wantedAgain = new TreeSet<>();

    /** What was claimed here and owes an end. */
    private final Map<Integer, ClaimedItem> owed = new HashMap<>();

    private final Set<Integer> pausing = new HashSet<>();
    private final IntConsumer released = this::released;
    private final Map<Integer, CompletableFuture<Void>> takes = new HashMap<>();
    private @Nullable Ownership ownership;
    private boolean stopped;
    private final CompletableFuture<Void> idle = new CompletableFuture<>();

    /**
     * @param held what this process holds of the job's items
     * @param outOfDate called when the registry knows another assignment or configuration than this instance
     * @param claimed gets what is to be executed now
     */
    public ItemClaims(
            JobScope scope, HeldItems held, Slots slots, Runnable outOfDate, Consumer<List<ClaimedItem>> claimed) {
        this.scope = scope;
        this.held = held;
        this.slots = slots;
        this.outOfDate = outOfDate;
        this.claimed = claimed;
        this.reader = new JobViewReader(scope);
        this.commits = new ClaimCommits(scope, reader, this::begun);
        this.interruptions = new Interruptions(scope);
        this.settlements = new Settlements(scope, reader, this::settled);
        this.takeovers = new Takeovers(scope, slots, this::take);
        this.marks = new MisfireMarks(scope);
        this.complaints = new Complaints(scope);
        this.lockEnds = new LockEnds(scope, this::want);
        this.rounds = new Rounds(
                "Items of job \"" + scope.jobName() + "\"", scope.connection(), scope.executor(), this::look);
    }

    @Override
    public void follow(Ownership next) {
        Ownership before = ownership;
        ownership = next;
        if (before == null || !before.isDueLike(next)) {
            wanted.addAll(next.items());
        } else {
            next.items().stream().filter(item -> !before.items().contains(item)).forEach(wanted::add);
        }
        takeovers.follow(next);
        rounds.again();
    }

    @Override
    public void suspend() {
        ownership = null;
        takeovers.suspend();
    }

    @Override
    public void fire() {
        Ownership own = ownership;
        if (own != null) {
            wanted.addAll(own.items());
            rounds.again();
        }
    }

    /** Tries to take over items, whoever owns them; completes when that has succeeded or failed. */
    private CompletionStage<Void> take(NavigableSet<Integer> items) {
        CompletableFuture<?>[] tries = items.stream()
                .map(item -> takes.computeIfAbsent(item, any -> new CompletableFuture<>()))
                .toArray(CompletableFuture[]::new);
        wanted.addAll(items);
        rounds.again();
        return CompletableFuture.allOf(tries);
    }

    @Override
    public void asked() {
        fire();
    }

    @Override
    public void ended(ClaimedItem item, Ending ending) {
        settlements.add(Settlement.of(item, ending));
    }

    @Override
    public Collection<ClaimedItem> held() {
        return List.copyOf(owed.values());
    }

    @Override
    public CompletionStage<Void> stop() {
        stopped = true;
        takeovers.stop();
        return rounds.stop()
                .thenComposeAsync(
                        resting -> {
                            tellIdle();
                            return idle;
                        },
                        scope.executor());
    }

    private void tellIdle() {
        if (stopped && owed.isEmpty()) {
            idle.complete(null);
        }
    }

    // ------------------------------------------------------------------ one look

    private CompletionStage<Boolean> look() {
        Ownership own = ownership;
        if (own == null || stopped || !isCurrent(own)) {
            List.copyOf(takes.keySet()).forEach(this::tried);
            return NOTHING_MORE;
        }
        Optional<RefusedClaims.Refused> refused = commits.undecided(own.session());
        if (refused.isPresent()) {
            return decide(refused.get());
        }
        List<Integer> items = candidates(own);
        if (items.isEmpty()) {
            return NOTHING_MORE;
        }
        boolean full = items.size() == JobViewReader.ITEMS_PER_READ;
        return reader.items(items)
                .thenComposeAsync(view -> act(own, items, view), scope.executor())
                .whenCompleteAsync(
                        (more, error) -> {
                            if (error != null) {
                                wanted.addAll(items);
                            }
                            items.forEach(this::tried);
                        },
                        scope.executor())
                .thenApply(more -> more || full);
    }

    private CompletionStage<Boolean> decide(RefusedClaims.Refused refused) {
        return commits.decide(refused)
                .thenApplyAsync(
                        left -> {
                            wanted.addAll(left.items());
                            return true;
                        },
                        scope.executor());
    }

    private void tried(int item) {
        CompletableFuture<Void> take = takes.remove(item);
        if (take != null) {
            take.complete(null);
        }
    }

    private boolean isCurrent(Ownership own) {
        return scope.connection()
                .session()
                .filter(session -> session.id() == own.session().id())
                .isPresent();
    }

    private List<Integer> candidates(Ownership own) {
        List<Integer> items = new ArrayList<>();
        for (Iterator<Integer> all = wanted.iterator();
                all.hasNext() && items.size() < JobViewReader.ITEMS_PER_READ; ) {
            int item = all.next();
            all.remove();
            Optional<ClaimedItem> holder = held.holder(item);
            if (holder.isPresent()) {
                keepForLater(own, holder.get());
                tried(item);
            } else if (own.items().contains(item) || takes.containsKey(item)) {
                items.add(item);
            }
        }
        return items;
    }

    private CompletionStage<Boolean> act(Ownership own, Collection<Integer> items, ItemsView view) {
        return act(own, items, view, 0);
    }

    /** @param refusals how often a claim of these items has been refused in this round */
    private CompletionStage<Boolean> act(Ownership own, Collection<Integer> items, ItemsView view, int refusals) {
        if (refusals == REFUSALS_PER_ROUND) {
            wanted.addAll(items);
            return ONCE_MORE;
        }
        if (view.epoch() != own.epoch()) {
            return startOver(own, items);
        }
        ItemPlan plan = ItemPlanner.plan(
                own,
                view.items().values(),
                new ItemPlanner.Moment(
                        scope.clock().instant(), scope.registryTime().now(), slots.free()));
        comeBack(own, plan);
        CompletionStage<Boolean> more = claim(own, plan, refusals);
        if (plan.orphans().isEmpty()) {
            return more;
        }
        plan.orphans().forEach(orphan -> wanted.add(orphan.item()));
        return more.thenComposeAsync(done -> interruptions.record(own.session(), plan.orphans()), scope.executor());
    }

    /** What can't be done now is looked at again when it can. */
    private void comeBack(Ownership own, ItemPlan plan) {
        complaints.tell(own, plan);
        plan.changes().stream().filter(ItemClaims::leavesRunWaiting).forEach(start -> wantedAgain.add(start.item()));
        plan.locked().forEach(lockEnds::await);
        plan.misfired().stream()
                .filter(item -> !item.children().misfire())
                .forEach(item -> marks.mark(own.session(), item.item(), item.version()));
        plan.later().forEach(this::wantLater);
        if (plan.lacksSlot()) {
            slots.whenFree(() -> scope.executor().execute(this::fire));
        }
    }

    private static boolean leavesRunWaiting(ItemChange change) {
        return change instanceof ItemChange.Start
                && !(change instanceof ItemChange.ManualClaim)
                && change.view().waiting().isPresent();
    }

    private void wantLater(int item, Duration pause) {
        if (pausing.add(item)) {
            scope.connection().later(pause, () -> {
                pausing.remove(item);
                want(item);
            });
        }
    }

    /** A firing has met the item running here. */
    private void keepForLater(Ownership own, ClaimedItem running) {
        wantedAgain.add(running.item());
        held.whenReleased(running.item(), released);
        if (running.isMonitored() && own.definition().misfire() && isBehind(own, running)) {
            marks.mark(own.session(), running.item(), running.version());
        }
    }

    /** What this instance knows is out of date: the items wait for the next word, unless it has come meanwhile. */
    private CompletionStage<Boolean> startOver(Ownership own, Collection<Integer> items) {
        wanted.addAll(items);
        if (!own.equals(ownership)) {
            return ONCE_MORE;
        }
        outOfDate.run();
        return NOTHING_MORE;
    }

    // ------------------------------------------------------------------ claiming

    private CompletionStage<Boolean> claim(Ownership own, ItemPlan plan, int refusals) {
        // Behind what is given up, a firing may have waited.
        plan.changes().stream().filter(Drop.class::isInstance).forEach(drop -> wanted.add(drop.item()));
        return commits.send(own, plan)
                .thenComposeAsync(refused -> planAnew(own, refused, refusals + 1), scope.executor());
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
                ended(claim, new Ending.Unclaimed());
            }
        }
        if (!begin.isEmpty()) {
            claimed.accept(begin);
        }
    }

    // ------------------------------------------------------------------ ends

    /** The end of an item is written, or somebody has gone on with it; it may be due again. */
    private void settled(Settlement settlement) {
        ClaimedItem claim = settlement.claim();
        owed.remove(claim.item(), claim);
        marks.forget(claim.item());
        boolean asked = wantedAgain.remove(claim.item());
        held.release(claim);
        Ownership own = ownership;
        if (settlement.ending() instanceof Ending.Unclaimed) {
            scope.connection()
                    .afterPause(PAUSE_AFTER_UNCLAIM)
                    .whenCompleteAsync((over, closed) -> want(claim.item()), scope.executor());
        } else if (asked
                || settlement.next().state() == ItemState.INTERRUPTED
                || (own != null && isBehind(own, claim))) {
            want(claim.item());
        }
        tellIdle();
    }

    /** What another source has held is released. */
    private void released(int item) {
        if (wantedAgain.remove(item)) {
            want(item);
        }
    }

    /** Told by the record: a manual run passes no firing, and one that was taken over began with a firing waiting. */
    private boolean isBehind(Ownership own, ClaimedItem claim) {
        Instant seen = claim.claimed().scheduledAt();
        return own.schedule()
                .latestNotAfter(scope.clock().instant())
                .filter(own.assignment().since()::isBefore)
                .filter(firing -> seen == null || firing.isAfter(seen))
                .isPresent();
    }

    private void want(int item) {
        wanted.add(item);
        rounds.again();
    }
}
