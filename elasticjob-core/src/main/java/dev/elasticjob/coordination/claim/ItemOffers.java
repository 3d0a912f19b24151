package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.item.InstanceCapacity;
import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.Capacity;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree.ItemOffer;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.Subscription;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Offers the others what waits for room here, and starts what they offer, if there is room for it: see "Helping" in {@code
 * docs/internals/protocol-placement.md}. An offer is a hint, and guards nothing. Only instances with a capacity do either.
 *
 * <p>Confined to the coordination executor.
 */
final class ItemOffers {
    /** After which an item that waits is offered. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    /** The time between the turns of two instances, and the number of turns. */
    private static final Duration TURN = Duration.ofMillis(50);

    private static final int TURNS = 10;
    /** How many items are offered together, so that a large job that waits doesn't cost a node for each of its items. */
    private static final int MOST = 100;
    /** Between a first attempt to help that failed and the second one; each further one comes twice as long after the one before. */
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);

    private static final Duration LAST_RETRY = Duration.ofMinutes(1);
    private static final int MOST_DOUBLINGS = 6;

    /** The time between two looks at what has become of offers. */
    private static final Duration NOTICING = Duration.ofSeconds(1);

    private final JobScope scope;
    private final InstanceCapacity capacity;
    private final Capacity slots;
    private final Function<NavigableSet<Integer>, CompletionStage<Void>> help;
    private final IntConsumer read;
    private final ReconcileLoop loop;

    // What waits here.
    private final Map<Integer, ItemOffer> waiting = new HashMap<>();
    /** Those to be offered, in the order in which they have waited long enough. */
    private final Set<ItemOffer> due = new LinkedHashSet<>();
    /** Those that are. */
    private final Set<ItemOffer> offered = new HashSet<>();

    private boolean notices;

    // What waits elsewhere.
    private final Set<ItemOffer> seen = new HashSet<>();
    /** Those for which this instance's turn has come. */
    private final Set<ItemOffer> turns = new HashSet<>();

    /** Those that couldn't be claimed, and are left alone for a while. */
    private final Set<ItemOffer> tried = new HashSet<>();
    /** How often each was tried. */
    private final Map<ItemOffer, Integer> tries = new HashMap<>();
    /** Whether offers may have come that were not looked at. */
    private boolean late = true;

    private boolean awaitsThread;
    private Optional<Subscription> awaitsRoom = Optional.empty();
    /** For which weight. */
    private int awaited;
    /** Of the job's items. */
    private int lightest = 1;

    private @Nullable Subscription signals;
    private @Nullable Ownership ownership;

    /**
     * @param help tries to start items of other owners; completes when this has succeeded or failed
     * @param read receives an owned item whose offer is gone
     */
    ItemOffers(
            JobScope scope,
            InstanceCapacity capacity,
            Capacity slots,
            Function<NavigableSet<Integer>, CompletionStage<Void>> help,
            IntConsumer read) {
        this.scope = scope;
        this.capacity = capacity;
        this.slots = slots;
        this.help = help;
        this.read = read;
        this.loop = scope.loop("helping", this::round);
    }

    // ------------------------------------------------------------------ what waits here

    /**
     * Offers owned items to the others.
     *
     * @param atOnce those that never have room here
     * @param patient those that wait for room, and are offered only if they do so for a while
     */
    void offer(List<ItemOffer> atOnce, List<ItemOffer> patient) {
        List<ItemOffer> fresh = patient.stream().filter(this::isNew).toList();
        if (!fresh.isEmpty()) {
            scope.connection().later(PATIENCE, () -> fallDue(fresh));
        }
        fallDue(atOnce.stream().filter(this::isNew).toList());
    }

    private boolean isNew(ItemOffer offer) {
        if (offer.equals(waiting.get(offer.item()))) {
            return false;
        }
        withdraw(offer.item());
        waiting.put(offer.item(), offer);
        return true;
    }

    private void fallDue(List<ItemOffer> offers) {
        List<ItemOffer> still = offers.stream()
                .filter(offer -> offer.equals(waiting.get(offer.item())))
                .toList();
        if (due.addAll(still)) {
            loop.again();
        }
    }

    /** The item doesn't wait any more. */
    void withdraw(int item) {
        ItemOffer offer = waiting.remove(item);
        if (offer != null && due.remove(offer) && offered.contains(offer)) {
            loop.again();
        }
    }

    /** The item is claimed, and its offer went with that. */
    void begun(int item) {
        ItemOffer offer = waiting.remove(item);
        if (offer != null) {
            due.remove(offer);
            if (offered.remove(offer) && due.size() > offered.size()) {
                loop.again();
            }
        }
    }

    // ------------------------------------------------------------------ when to look

    void follow(Ownership next) {
        Ownership before = ownership;
        ownership = next;
        List.copyOf(waiting.keySet()).stream()
                .filter(item -> !next.startable().contains(item))
                .forEach(this::withdraw);
        if (capacity.limit().isEmpty() || !next.assignment().monitored()) {
            unsubscribe();
            return;
        }
        lightest = next.assignment().owners().keySet().stream()
                .mapToInt(next.definition()::weightOf)
                .min()
                .orElse(1);
        tried.clear();
        tries.clear();
        if (signals == null) {
            signals = scope.registry().watch(scope.tree().offers(), WatchScope.NODE, this::changed);
            look();
        } else if (before == null || !before.enabled() || !seen.isEmpty()) {
            look();
        }
        if (!due.equals(offered)) {
            loop.again();
        }
    }

    /** What was offered in a former session is not known any more. */
    void suspend() {
        ownership = null;
        waiting.clear();
        due.clear();
        offered.clear();
        seen.clear();
        turns.clear();
        tried.clear();
        tries.clear();
        late = true;
    }

    void stop() {
        suspend();
        unsubscribe();
        loop.stop();
    }

    private void unsubscribe() {
        awaitsRoom.ifPresent(Subscription::close);
        awaitsRoom = Optional.empty();
        if (signals != null) {
            signals.close();
            signals = null;
        }
    }

    private void changed() {
        look();
        if (!offered.isEmpty() && !notices) {
            notices = true;
            scope.connection().later(NOTICING, () -> {
                notices = false;
                loop.again();
            });
        }
    }

    /** Others may offer something. An instance that is full, or may start nothing, reads nothing of it. */
    private void look() {
        if (ownership == null || !ownership.enabled()) {
            late = true;
        } else if (canHelp()) {
            loop.again();
        } else {
            late = true;
            await(lightest);
        }
    }

    private boolean canHelp() {
        return slots.free() > 0 && capacity.spare() >= lightest;
    }

    /** Looks again when there is a thread, or room for so much. */
    private void await(int weight) {
        if (slots.free() == 0) {
            awaitThread();
        } else if (awaitsRoom.isEmpty() || weight < awaited) {
            awaitsRoom.ifPresent(Subscription::close);
            awaited = weight;
            awaitsRoom = Optional.of(
                    capacity.whenSpare(weight, () -> scope.executor().execute(this::hasRoom)));
        }
    }

    private void hasRoom() {
        awaitsRoom = Optional.empty();
        lookInTime();
    }

    private void awaitThread() {
        if (!awaitsThread) {
            awaitsThread = true;
            slots.whenFree(() -> scope.executor().execute(() -> {
                awaitsThread = false;
                lookInTime();
            }));
        }
    }

    private void lookInTime() {
        if (signals != null) {
            look();
        }
    }

    // ------------------------------------------------------------------ one round

    private CompletionStage<Next> round() {
        Ownership own = ownership;
        if (own == null || signals == null || !scope.connection().isIn(own.session())) {
            return Next.WAIT.stage();
        }
        return scope.registry()
                .read(List.of(
                        RegistryRead.data(scope.tree().offers()),
                        RegistryRead.children(scope.tree().offers()),
                        RegistryRead.children(scope.tree().instances())))
                .thenCompose(answer -> own.equals(ownership) ? act(own, answer) : Next.AGAIN.stage());
    }

    private CompletionStage<Next> act(Ownership own, RegistryAnswer answer) {
        Set<ItemOffer> there = answer.children(scope.tree().offers()).stream()
                .flatMap(name -> ItemOffer.of(name).stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
        List<ItemOffer> gone =
                offered.stream().filter(offer -> !there.contains(offer)).toList();
        gone.forEach(this::isGone);
        due.stream().filter(there::contains).forEach(offered::add);
        Set<ItemOffer> wanted = wanted(own);
        List<ItemOffer> delete =
                offered.stream().filter(offer -> !wanted.contains(offer)).toList();
        List<ItemOffer> create =
                wanted.stream().filter(offer -> !offered.contains(offer)).toList();
        if (create.isEmpty() && delete.isEmpty()) {
            return help(own, there, answer);
        }
        boolean first = answer.node(scope.tree().offers()).isEmpty();
        return write(own, first, create, delete)
                .thenCompose(next -> next == Next.AGAIN ? next.stage() : help(own, there, answer));
    }

    /**
     * What is to be offered. If there is more than may be, each weight has its share, so that what nobody has room for keeps
     * nothing else from being offered. Of one weight, what is offered stays; then comes what would begin last here.
     */
    private Set<ItemOffer> wanted(Ownership own) {
        if (due.size() <= MOST) {
            return new LinkedHashSet<>(due);
        }
        List<ItemOffer> latestFirst = new ArrayList<>(due);
        Collections.reverse(latestFirst);
        NavigableMap<Integer, Deque<ItemOffer>> byWeight = new TreeMap<>();
        Stream.concat(
                        latestFirst.stream().filter(offered::contains),
                        latestFirst.stream().filter(offer -> !offered.contains(offer)))
                .forEach(offer -> byWeight.computeIfAbsent(
                                own.definition().weightOf(offer.item()), any -> new ArrayDeque<>())
                        .add(offer));
        Set<ItemOffer> wanted = new LinkedHashSet<>();
        while (wanted.size() < MOST) {
            byWeight.values().removeIf(Collection::isEmpty);
            byWeight.values().stream().limit(MOST - wanted.size()).forEach(offers -> wanted.add(offers.remove()));
        }
        return wanted;
    }

    /** Another instance has claimed the item, or has found that the offer is out of date. */
    private void isGone(ItemOffer offer) {
        offered.remove(offer);
        if (due.remove(offer)) {
            waiting.remove(offer.item());
            read.accept(offer.item());
        }
    }

    private CompletionStage<Next> write(Ownership own, boolean first, List<ItemOffer> create, List<ItemOffer> delete) {
        RegistryCommit.Builder guard =
                RegistryCommit.builder().check(scope.tree().sharding(), own.epoch());
        if (first) {
            guard.create(scope.tree().offers());
        }
        List<ItemOffer> parts = new ArrayList<>(create);
        parts.addAll(delete);
        Batch<ItemOffer> batch = Batch.cut(guard.build(), parts, offer -> write(offer, create.contains(offer)))
                .get(0);
        return scope.connection().start(own.session(), batch.commit()).thenApply(outcome -> {
            if (outcome instanceof CommitOutcome.Refused refused) {
                return refused(own, refused.path());
            }
            capacity.offered(
                    scope.jobName(),
                    batch.parts().stream()
                            .filter(create::contains)
                            .map(ItemOffer::item)
                            .toList(),
                    scope.registryTime().now());
            batch.parts().forEach(offer -> {
                if (create.contains(offer)) {
                    offered.add(offer);
                } else {
                    offered.remove(offer);
                }
            });
            boolean isOver = !due.containsAll(offered);
            return isOver || batch.parts().size() < parts.size() ? Next.AGAIN : Next.WAIT;
        });
    }

    private RegistryCommit write(ItemOffer offer, boolean create) {
        String path = scope.tree().offer(offer.name());
        return create
                ? RegistryCommit.builder()
                        .check(scope.tree().item(offer.item()), offer.version())
                        .create(path)
                        .build()
                : RegistryCommit.builder()
                        .delete(path, RegistryCommit.ANY_VERSION)
                        .build();
    }

    /** The plan is an old one: the next one is followed. Or an item has changed: it is read. Or an offer has come or gone. */
    private Next refused(Ownership own, String path) {
        if (own.isOutOfDateAt(scope.tree(), path)) {
            return Next.WAIT;
        }
        List.copyOf(due).stream()
                .filter(offer -> scope.tree().item(offer.item()).equals(path))
                .forEach(this::isGone);
        return Next.AGAIN;
    }

    // ------------------------------------------------------------------ what waits elsewhere

    private CompletionStage<Next> help(Ownership own, Set<ItemOffer> there, RegistryAnswer answer) {
        List<ItemOffer> others = there.stream()
                .filter(offer -> own.assignment().owners().containsKey(offer.item())
                        && !own.items().contains(offer.item()))
                .toList();
        seen.retainAll(others);
        turns.retainAll(others);
        tried.retainAll(others);
        tries.keySet().retainAll(others);
        if (!own.enabled()) {
            return Next.WAIT.stage();
        }
        boolean anybodys = late;
        late = false;
        if (others.isEmpty()) {
            return Next.WAIT.stage();
        }
        List<String> ranks = Ranks.of(own, answer.children(scope.tree().instances()));
        Map<ItemOffer, Integer> before = new HashMap<>();
        others.forEach(offer -> before.put(offer, Ranks.before(ranks, own, offer.item())));
        takeTurns(before, anybodys);
        List<ItemOffer> ours = others.stream()
                .filter(offer -> turns.contains(offer) && !tried.contains(offer))
                .sorted(Comparator.comparing(offer -> before.getOrDefault(offer, TURNS)))
                .toList();
        NavigableSet<Integer> chosen = choose(own, ours);
        if (chosen.isEmpty()) {
            ours.stream()
                    .mapToInt(offer -> own.definition().weightOf(offer.item()))
                    .min()
                    .ifPresent(this::await);
            return Next.WAIT.stage();
        }
        ours.stream().filter(offer -> chosen.contains(offer.item())).forEach(this::leaveAlone);
        return help.apply(chosen).thenApply(done -> Next.AGAIN);
    }

    /** For a while: it may only not be due yet by a clock that is a little behind, or rest here. */
    private void leaveAlone(ItemOffer offer) {
        tried.add(offer);
        int before = tries.merge(offer, 1, Integer::sum) - 1;
        Duration pause = FIRST_RETRY.multipliedBy(1L << Math.min(before, MOST_DOUBLINGS));
        scope.connection().later(pause.compareTo(LAST_RETRY) < 0 ? pause : LAST_RETRY, () -> {
            if (tried.remove(offer)) {
                lookInTime();
            }
        });
    }

    /** @param anybodys whether there may be offers that were there before this instance had room */
    private void takeTurns(Map<ItemOffer, Integer> before, boolean anybodys) {
        Map<Integer, List<ItemOffer>> fresh = before.keySet().stream()
                .filter(seen::add)
                .collect(Collectors.groupingBy(
                        offer -> anybodys ? 0 : Math.min(TURNS, before.getOrDefault(offer, TURNS))));
        fresh.forEach((turn, offers) -> {
            if (turn == 0) {
                turns.addAll(offers);
            } else {
                scope.connection().later(TURN.multipliedBy(turn), () -> {
                    turns.addAll(offers);
                    lookInTime();
                });
            }
        });
    }

    private NavigableSet<Integer> choose(Ownership own, List<ItemOffer> offers) {
        NavigableSet<Integer> chosen = new TreeSet<>();
        long spare = capacity.spare();
        int threads = slots.free();
        for (ItemOffer offer : offers) {
            int weight = own.definition().weightOf(offer.item());
            if (chosen.size() < threads && weight <= spare) {
                spare -= weight;
                chosen.add(offer.item());
            }
        }
        return chosen;
    }

    /** There was no room, or no thread, any more. */
    void comeBack(List<ItemDecision> decisions) {
        for (ItemDecision decision : decisions) {
            if (decision instanceof ItemDecision.HelpLater later) {
                tried.removeIf(offer -> offer.item() == later.item());
            }
        }
    }
}
