package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.item.ClaimedItem;
import dev.elasticjob.coordination.item.ItemChange;
import dev.elasticjob.coordination.item.LocalItemLocks;
import dev.elasticjob.coordination.session.Capacity;
import dev.elasticjob.coordination.session.DeletionWaiter;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
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
import java.util.function.IntConsumer;

/**
 * The items to read: now, or when an obstacle is gone, such as a running execution, a pause, or a lack of free slots.
 *
 * <p>Confined to the coordination executor.
 */
final class ItemQueue {
    private final JobScope scope;
    private final LocalItemLocks held;
    private final Capacity slots;
    private final Runnable everything;
    private final Runnable look;
    private final IntConsumer pauseOver;
    private final RuleRounds rules;
    private final MisfireMarks marks;
    private final DeletionWaiter deletionWaiter;
    private final NavigableSet<Integer> wanted = new TreeSet<>();
    /** Held items to read once they are released. */
    private final Set<Integer> wantedAgain = new TreeSet<>();

    private final Map<Integer, TaskTimer.Cancellable> pausing = new HashMap<>();
    private final Set<Integer> resting = new HashSet<>();
    private final Map<Integer, CompletableFuture<Void>> takes = new HashMap<>();
    /** Those of the takes that may start although another instance owns them. */
    private final Set<Integer> helped = new HashSet<>();

    private final ItemOffers offers;
    private final IntConsumer released = this::released;
    private boolean awaitsFiring;
    private boolean stopped;

    /**
     * @param everything adds all owned items to the queue
     * @param look called when there are items to read
     * @param pauseOver receives interrupted items that any instance may take from now on
     */
    ItemQueue(
            JobScope scope,
            LocalItemLocks held,
            Capacity slots,
            Runnable everything,
            Runnable look,
            IntConsumer pauseOver,
            RuleRounds rules) {
        this.scope = scope;
        this.held = held;
        this.slots = slots;
        this.everything = everything;
        this.look = look;
        this.pauseOver = pauseOver;
        this.rules = rules;
        this.marks = new MisfireMarks(scope);
        this.deletionWaiter = new DeletionWaiter(scope, this::want);
        this.offers = new ItemOffers(scope, held.capacity(), slots, this::help, this::want);
    }

    /** What waits for room at its owner, here or elsewhere. */
    ItemOffers offers() {
        return offers;
    }

    ItemRoom room() {
        TooHeavy tooHeavy = new TooHeavy(scope, held.capacity().limit());
        return new ItemRoom(scope, held.capacity(), tooHeavy, offers, this::want, this::takeOne);
    }

    /** How many interrupted executions may be taken over. */
    int freeSlots() {
        return slots.free();
    }

    // ------------------------------------------------------------------ what is wanted

    void want(int item) {
        wanted.add(item);
        look.run();
    }

    /** Adds items for the next round, without starting it. */
    void wantNext(Collection<Integer> items) {
        wanted.addAll(items);
    }

    /** Tries to take over items of any owner. Completes when this has succeeded or failed. */
    CompletionStage<Void> take(NavigableSet<Integer> items) {
        if (stopped) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<?>[] tries = items.stream()
                .map(item -> takes.computeIfAbsent(item, any -> new CompletableFuture<>()))
                .toArray(CompletableFuture[]::new);
        wanted.addAll(items);
        look.run();
        return CompletableFuture.allOf(tries);
    }

    /** Tries to start items for which their owners have no room. Completes when this has succeeded or failed. */
    private CompletionStage<Void> help(NavigableSet<Integer> items) {
        helped.addAll(items);
        return take(items);
    }

    /** Whether the item is one that another instance has no room for. */
    boolean helps(int item) {
        return helped.contains(item);
    }

    /** Tries to take over this item. */
    void takeOne(int item) {
        take(new TreeSet<>(Set.of(item)));
    }

    /**
     * An item that can't start here now rests for a while, even if it is requested: other instances may start it in the
     * meantime.
     */
    void rest(int item) {
        resting.add(item);
    }

    void rested(int item) {
        resting.remove(item);
        want(item);
    }

    /**
     * The next items to read, at most as many as one read may contain. Held items wait for their end.
     *
     * @param skipped receives those that are wanted, and not read now
     */
    List<Integer> next(Ownership own, IntConsumer skipped) {
        List<Integer> items = new ArrayList<>();
        for (Iterator<Integer> all = wanted.iterator();
                all.hasNext() && items.size() < JobViewReader.ITEMS_PER_READ; ) {
            int item = all.next();
            all.remove();
            Optional<ClaimedItem> holder = held.holder(item);
            if (holder.isPresent()) {
                keepForLater(own, holder.get());
                tried(item);
                skipped.accept(item);
            } else if (resting.contains(item)) {
                tried(item);
                skipped.accept(item);
            } else if (own.items().contains(item) || takes.containsKey(item)) {
                items.add(item);
            } else {
                skipped.accept(item);
            }
        }
        return items;
    }

    /** These items have been read, so callers that wait for their take-over continue. */
    void tried(Collection<Integer> items) {
        items.forEach(this::tried);
    }

    void triedAll() {
        tried(List.copyOf(takes.keySet()));
    }

    private void tried(int item) {
        helped.remove(item);
        CompletableFuture<Void> take = takes.remove(item);
        if (take != null) {
            take.complete(null);
        }
    }

    /** Nothing is read any more. Callers that wait for a take-over continue, and no obstacle is awaited. */
    void stop() {
        stopped = true;
        triedAll();
        deletionWaiter.close();
        held.forget(released);
        pausing.values().forEach(TaskTimer.Cancellable::cancel);
        pausing.clear();
    }

    // ------------------------------------------------------------------ what can't be done now

    /** Arranges for items with an obstacle to be read again when it is gone. */
    void comeBack(Ownership own, List<ItemDecision> decisions) {
        for (ItemDecision decision : decisions) {
            if (decision instanceof ItemDecision.Commit commit) {
                comeBack(own, commit);
            } else if (decision instanceof ItemDecision.AwaitUnlock locked) {
                awaitUnlock(own, locked);
            } else if (decision instanceof ItemDecision.AwaitEnabled disabled) {
                deletionWaiter.ofDisabled(disabled.item());
            } else if (decision instanceof ItemDecision.AwaitDelay delay) {
                wantLater(delay.item(), delay.left());
            } else if (decision instanceof ItemDecision.AwaitPause pause) {
                wantLater(pause.item(), pause.left());
            } else if (decision instanceof ItemDecision.PauseJob failed) {
                rules.failedTooOften(failed.item());
            }
        }
        ItemDecision.only(ItemDecision.AwaitFiring.class, decisions).stream()
                .map(ItemDecision.AwaitFiring::left)
                .filter(left -> !left.isZero())
                .max(Comparator.naturalOrder())
                .ifPresent(this::readEverythingLater);
        List<ItemDecision.AwaitSlot> lackSlots = ItemDecision.only(ItemDecision.AwaitSlot.class, decisions);
        if (!lackSlots.isEmpty()) {
            slots.whenFree(() -> scope.executor().execute(() -> {
                everything.run();
                lackSlots.stream()
                        .map(ItemDecision.AwaitSlot::item)
                        .filter(item -> !own.items().contains(item))
                        .forEach(pauseOver::accept);
            }));
        }
    }

    /** A later firing may have come, too, which the item's jitter still delays. */
    private void comeBack(Ownership own, ItemDecision.Commit commit) {
        if (leavesRunWaiting(commit.change())) {
            wantedAgain.add(commit.item());
        }
        if (own.items().contains(commit.item())) {
            wantDelayed(own, commit.item(), commit.change().next());
        }
    }

    private void wantDelayed(Ownership own, int item, ItemRecord seen) {
        Instant now = own.now(scope.registryTime());
        own.due().delayedUntil(item, seen, now).ifPresent(until -> wantLater(item, Duration.between(now, until)));
    }

    private void readEverythingLater(Duration left) {
        if (!awaitsFiring) {
            awaitsFiring = true;
            scope.connection().later(left, () -> {
                awaitsFiring = false;
                everything.run();
            });
        }
    }

    private void awaitUnlock(Ownership own, ItemDecision.AwaitUnlock locked) {
        ItemView item = locked.view();
        deletionWaiter.ofLock(item.item());
        locked.left().ifPresent(left -> wantLater(item.item(), left));
        locked.cancelledBy().ifPresent(firing -> rules.overlaps(item.item(), firing));
        if (locked.misfired()) {
            marks.mark(own.session(), item.item(), item.version());
        }
    }

    private static boolean leavesRunWaiting(ItemChange change) {
        return change instanceof ItemChange.ManualClaim claim
                ? claim.waiting().runs().behindFirst().isPresent()
                : change instanceof ItemChange.Start && change.view().waiting().isPresent();
    }

    private void wantLater(int item, Duration pause) {
        pausing.computeIfAbsent(
                item,
                any -> scope.connection().later(pause, () -> {
                    pausing.remove(item);
                    pauseOver.accept(item);
                }));
    }

    /** A firing has found the item running here. */
    private void keepForLater(Ownership own, ClaimedItem running) {
        wantedAgain.add(running.item());
        held.whenReleased(running.item(), released);
        if (!running.isMonitored()) {
            return;
        }
        if (own.items().contains(running.item())) {
            Instant now = own.now(scope.registryTime());
            own.cancels(
                            running.item(),
                            running.claimed(),
                            now,
                            scope.registryTime().now())
                    .ifPresent(firing -> rules.overlaps(running.item(), firing));
            wantDelayed(own, running.item(), running.claimed());
        }
        if (own.keepsFiringsThatOverlap()
                && own.isBehind(running.item(), running.claimed(), scope.clock().instant())) {
            marks.mark(own.session(), running.item(), running.version());
        }
    }

    /** The item's end is written. Returns whether the item was requested in the meantime. */
    boolean ended(int item) {
        marks.forget(item);
        return wantedAgain.remove(item);
    }

    /** The item was held by an execution that was not claimed by this object. */
    private void released(int item) {
        if (wantedAgain.remove(item)) {
            want(item);
        }
    }
}
