package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.item.InstanceCapacity;
import dev.elasticjob.coordination.item.ItemChange;
import dev.elasticjob.coordination.item.Room;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.registry.JobTree.ItemOffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * Lets items of one job start for which this instance has room: see "Weight and capacity" in {@code
 * docs/internals/protocol-placement.md}. Each run of the engine has its own.
 *
 * <p>Confined to the coordination executor.
 */
final class ItemRoom {
    /** After which an item that holds back others is read again. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final JobScope scope;
    private final InstanceCapacity capacity;
    private final IntConsumer start;
    private final IntConsumer take;
    private final TooHeavy tooHeavy;
    private final ItemOffers offers;
    private final Map<Integer, InstanceCapacity.Ticket> tickets = new TreeMap<>();
    /** Interrupted items that wait here, of any owner. */
    private final Set<Integer> takes = new HashSet<>();
    /** Whether an item may wait here. */
    private IntPredicate mayWait = item -> false;

    private IntPredicate owned = item -> false;
    /** Whether {@link #lookAgain} is to come. */
    private boolean looksAgain;

    /**
     * @param offers told of the owned items that wait
     * @param start receives an owned item that may find room now
     * @param take the same for an interrupted one
     */
    ItemRoom(
            JobScope scope,
            InstanceCapacity capacity,
            TooHeavy tooHeavy,
            ItemOffers offers,
            IntConsumer start,
            IntConsumer take) {
        this.offers = offers;
        this.scope = scope;
        this.capacity = capacity;
        this.tooHeavy = tooHeavy;
        this.start = start;
        this.take = take;
    }

    /** Tells each item that is too heavy once. */
    TooHeavy tooHeavy() {
        return tooHeavy;
    }

    // ------------------------------------------------------------------ one round

    /** The item isn't read now: it is held, rests, or isn't this instance's to start. */
    void skip(int item) {
        Optional.ofNullable(tickets.get(item)).ifPresent(InstanceCapacity.Ticket::leave);
        offers.withdraw(item);
    }

    /** Whether the item would be let in now. */
    boolean has(Ownership own, int item) {
        return isUnlimited()
                || (!tooHeavy.is(own.definition(), item)
                        && ticket(item).wouldFit(own.definition().weightOf(item)));
    }

    /** @return the decisions: starts with their room, and without those that have to wait */
    List<ItemDecision> admit(Ownership own, Collection<Integer> read, List<ItemDecision> decisions) {
        if (isUnlimited()) {
            return decisions;
        }
        List<ItemDecision> admitted = new ArrayList<>();
        Set<Integer> starting = new HashSet<>();
        List<ItemOffer> heavy = new ArrayList<>();
        List<ItemOffer> waiting = new ArrayList<>();
        List<ItemDecision.Commit> helped = new ArrayList<>();
        for (ItemDecision decision : decisions) {
            if (!(decision instanceof ItemDecision.Commit commit) || !(commit.change() instanceof ItemChange.Start)) {
                admitted.add(decision);
            } else if (isHelp(own, commit)) {
                helped.add(commit);
            } else if (tooHeavy.is(own.definition(), commit.item())) {
                if (!isTake(commit)) {
                    heavy.add(offer(commit));
                }
            } else {
                starting.add(commit.item());
                Optional<Room> room = ask(own, commit);
                admitted.add(room.<ItemDecision>map(commit::in).orElse(ItemDecision.AWAIT_ROOM));
                if (room.isEmpty()) {
                    waiting.add(offer(commit));
                }
            }
        }
        // Its own items come first.
        helped.forEach(commit -> admitted.add(help(own, commit)));
        lookAgainIfHoldingBack();
        leave(item -> read.contains(item) && !starting.contains(item));
        offer(own, read, starting, heavy, waiting);
        return admitted;
    }

    private static boolean isHelp(Ownership own, ItemDecision.Commit commit) {
        return !isTake(commit) && !own.items().contains(commit.item());
    }

    private static boolean isTake(ItemDecision.Commit commit) {
        return commit.change() instanceof ItemChange.Take;
    }

    /** It has no place here: what waits here comes first, and what finds no room doesn't wait. */
    private ItemDecision help(Ownership own, ItemDecision.Commit commit) {
        return capacity.takeSpare(scope.jobName(), own.definition().weightOf(commit.item()))
                .<ItemDecision>map(commit::in)
                .orElseGet(() -> new ItemDecision.HelpLater(commit.item()));
    }

    private static ItemOffer offer(ItemDecision.Commit commit) {
        return new ItemOffer(commit.item(), commit.change().view().version());
    }

    /** What waits here, others may have room for. What is claimed now is offered no longer once that is decided. */
    private void offer(
            Ownership own,
            Collection<Integer> read,
            Set<Integer> starting,
            List<ItemOffer> heavy,
            List<ItemOffer> waiting) {
        heavy.removeIf(offer -> !own.startable().contains(offer.item()));
        waiting.removeIf(offer -> !own.startable().contains(offer.item()) || takes.contains(offer.item()));
        Set<Integer> offered = new HashSet<>(starting);
        heavy.forEach(offer -> offered.add(offer.item()));
        read.stream().filter(item -> !offered.contains(item)).forEach(offers::withdraw);
        offers.offer(heavy, waiting);
    }

    private boolean isUnlimited() {
        return capacity.limit().isEmpty();
    }

    private Optional<Room> ask(Ownership own, ItemDecision.Commit commit) {
        int item = commit.item();
        if (commit.change() instanceof ItemChange.Take) {
            takes.add(item);
        } else {
            takes.remove(item);
        }
        Optional<Room> room = ticket(item).ask(own.definition().weightOf(item));
        if (!mayWait.test(item)) {
            // It doesn't wait now, and not again if its claim is refused.
            ticket(item).leave();
        }
        return room;
    }

    /** What holds back others may need no room any more: nobody tells that it was disabled, or its run cancelled. */
    private void lookAgainIfHoldingBack() {
        if (!looksAgain && tickets.values().stream().anyMatch(InstanceCapacity.Ticket::holdsBack)) {
            looksAgain = true;
            scope.connection().later(LOOK_AGAIN, this::lookAgain);
        }
    }

    private void lookAgain() {
        looksAgain = false;
        tickets.keySet().stream()
                .filter(item -> ticket(item).holdsBack())
                .findFirst()
                .ifPresent(this::called);
    }

    private InstanceCapacity.Ticket ticket(int number) {
        return tickets.computeIfAbsent(
                number,
                item -> capacity.ticket(
                        scope.jobName(), item, () -> scope.executor().execute(() -> called(item))));
    }

    private void called(int item) {
        if (ticket(item).waits()) {
            (takes.contains(item) ? take : start).accept(item);
        }
    }

    // ------------------------------------------------------------------ what no longer waits

    void follow(Ownership next) {
        owned = next.items()::contains;
        if (!isUnlimited()) {
            tooHeavy.look(next.definition(), next.items());
        }
        mayWait = item -> next.startable().contains(item)
                || (takes.contains(item) && next.enabled() && next.definition().failover());
        leave(mayWait.negate());
        offers.follow(next);
    }

    /**
     * Of the items that were interrupted, only these wait for somebody to take them over. The owner of another one reads it,
     * because a later firing may wait for its end.
     */
    void stillInterrupted(Set<Integer> items) {
        Set<Integer> others = new HashSet<>(takes);
        others.removeAll(items);
        takes.removeAll(others);
        List<Integer> waited =
                others.stream().filter(item -> ticket(item).waits()).toList();
        leave(others::contains);
        waited.stream().filter(owned::test).forEach(start::accept);
    }

    /** Nothing starts until it follows again. */
    void suspend() {
        mayWait = item -> false;
        takes.clear();
        leave(item -> true);
        offers.suspend();
    }

    private void leave(IntPredicate items) {
        List.copyOf(tickets.keySet()).stream()
                .filter(items::test)
                .forEach(item -> ticket(item).leave());
    }
}
