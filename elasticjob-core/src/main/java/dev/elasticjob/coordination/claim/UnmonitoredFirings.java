package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.item.ClaimedItem;
import dev.elasticjob.coordination.item.ExecutionResult;
import dev.elasticjob.coordination.item.InstanceCapacity;
import dev.elasticjob.coordination.item.LocalItemLocks;
import dev.elasticjob.coordination.item.LossReporter;
import dev.elasticjob.coordination.item.Room;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.job.event.ExecutionTrigger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The firings of a job with {@code monitorExecution=false}: an execution costs no write and leaves no record. An item
 * is due only if this instance's timer fires after the instance has become its owner. A firing that finds its item
 * running on this instance, or no room for it, is kept in memory. Nothing is guaranteed across instances.
 *
 * <p>Confined to the coordination executor.
 */
final class UnmonitoredFirings {
    private final JobScope scope;
    private final LocalItemLocks held;
    private final JobViewReader reader;
    private final Consumer<List<ClaimedItem>> claimed;
    private final LossReporter losses;
    private final TooHeavy tooHeavy;
    private final ReconcileLoop loop;
    private final Map<Integer, Instant> ownedSince = new HashMap<>();
    /** Firings that found their item running. */
    private final Map<Integer, Instant> kept = new TreeMap<>();

    private final Map<Integer, InstanceCapacity.Ticket> tickets = new HashMap<>();
    private final Set<Integer> executing = new TreeSet<>();
    private final IntConsumer released = this::released;
    private @Nullable Ownership ownership;
    private @Nullable Instant firing;
    private boolean stopped;

    UnmonitoredFirings(
            JobScope scope,
            LocalItemLocks held,
            JobViewReader reader,
            TooHeavy tooHeavy,
            Consumer<List<ClaimedItem>> claimed) {
        this.scope = scope;
        this.held = held;
        this.reader = reader;
        this.claimed = claimed;
        this.losses = new LossReporter(scope);
        this.tooHeavy = tooHeavy;
        this.loop = scope.loop("unmonitored firings", this::look);
    }

    void follow(Ownership next) {
        ownership = next;
        Instant now = scope.clock().instant();
        ownedSince.keySet().retainAll(next.startable());
        loseKept(next.startable());
        next.startable().forEach(item -> ownedSince.putIfAbsent(item, now));
    }

    void suspend() {
        ownership = null;
        ownedSince.clear();
        loseKept(Set.of());
    }

    void fire() {
        Ownership own = ownership;
        if (own != null) {
            own.schedule().latestNotAfter(scope.clock().instant()).ifPresent(latest -> {
                firing = latest;
                loop.again();
            });
        }
    }

    /** One read shows which items are disabled. */
    private CompletionStage<Next> look() {
        Ownership own = ownership;
        Instant due = firing;
        if (own == null || due == null || stopped || own.startable().isEmpty()) {
            return Next.WAIT.stage();
        }
        firing = null;
        return reader.items(own.startable()).handle((view, error) -> {
            if (error == null) {
                begin(own, due, enabled(own, view.items().values()), ExecutionTrigger.SCHEDULE);
                return Next.WAIT;
            }
            // A firing whose read failed is still due, unless a later one has come.
            firing = firing == null ? due : firing;
            throw new CompletionException(Stages.unwrap(error));
        });
    }

    private static Set<Integer> enabled(Ownership own, Collection<ItemView> views) {
        Set<Integer> items = new TreeSet<>(own.startable());
        views.stream().filter(item -> item.children().disabled()).forEach(item -> items.remove(item.item()));
        return items;
    }

    private void begin(Ownership own, Instant due, Set<Integer> items, ExecutionTrigger trigger) {
        if (stopped) {
            return;
        }
        List<ClaimedItem> begun = new ArrayList<>();
        for (int item : items) {
            Instant since = ownedSince.get(item);
            if (since == null || !due.isAfter(since)) {
                continue;
            }
            if (tooHeavy.is(own.definition(), item)) {
                losses.tellLost(item, due);
            } else if (held.holder(item).isPresent()) {
                keep(own, item, due);
                held.whenReleased(item, released);
            } else {
                Optional<Room> room = ticket(item).ask(own.definition().weightOf(item));
                if (room.isEmpty()) {
                    keep(own, item, due);
                } else {
                    ClaimedItem claim =
                            claim(own, item, due, trigger, room.get().move());
                    held.hold(claim);
                    executing.add(item);
                    begun.add(claim);
                }
            }
            leaveUnlessKept(item);
        }
        if (!begun.isEmpty()) {
            claimed.accept(begun);
        }
    }

    private InstanceCapacity.Ticket ticket(int number) {
        return tickets.computeIfAbsent(
                number,
                item -> held.capacity()
                        .ticket(scope.jobName(), item, () -> scope.executor().execute(() -> released(item))));
    }

    /** A firing that can't begin now. */
    private void keep(Ownership own, int item, Instant due) {
        if (own.definition().overlap() == Overlap.SKIP) {
            losses.tellSkipped(item, due);
        } else if (own.definition().misfire()) {
            kept.put(item, due);
        }
    }

    /** Only a firing that is kept waits for room. */
    private void leaveUnlessKept(int item) {
        if (!kept.containsKey(item)) {
            ticket(item).leave();
        }
    }

    private ClaimedItem claim(Ownership own, int item, Instant due, ExecutionTrigger trigger, Room room) {
        return new ClaimedItem(
                item,
                own.epoch(),
                own.assignment().total(),
                own.definition(),
                due,
                own.instance(),
                0,
                own.session().id(),
                ItemRecord.NEW.claimed(due, own.instance(), scope.clock().instant()),
                0,
                ItemRecord.NEW,
                Optional.empty(),
                trigger,
                Optional.empty(),
                "",
                0,
                false,
                room);
    }

    void ended(ClaimedItem item, ExecutionResult ending) {
        executing.remove(item.item());
        if (ending instanceof ExecutionResult.Unclaimed) {
            losses.tellLost(item.item(), item.scheduledAt());
        }
        item.room().close();
        held.release(item);
    }

    /** The firing that waited for the item starts now. */
    private void released(int item) {
        Instant due = kept.remove(item);
        Ownership own = ownership;
        if (due != null && own != null) {
            begin(own, due, Set.of(item), ExecutionTrigger.MISFIRE);
        }
        leaveUnlessKept(item);
    }

    /** A kept firing is in no record: when its item moves to another instance, it is lost. */
    private void loseKept(Set<Integer> owned) {
        new TreeMap<>(kept).forEach((item, due) -> {
            if (!owned.contains(item)) {
                kept.remove(item);
                losses.tellLost(item, due);
                leaveUnlessKept(item);
            }
        });
    }

    boolean isIdle() {
        return executing.isEmpty();
    }

    void stop() {
        stopped = true;
        loseKept(Set.of());
        held.forget(released);
        loop.stop();
    }
}
