package dev.elasticjob.coordination.item;

import dev.elasticjob.coordination.view.LackingRoom;
import dev.elasticjob.registry.Subscription;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the items of all jobs of an engine may weigh together that are claimed or executed here. A claim takes {@link Room}
 * before it is sent. What finds none waits with a {@link Ticket}, for which nothing is reserved: tickets stand in the order
 * in which they first asked, and one is let in if it fits besides all that is used and all tickets ahead of it. So light
 * items don't starve a heavy one.
 *
 * <p>Thread-safe. Calls nobody under its monitor.
 */
public class InstanceCapacity {
    private final OptionalInt limit;
    /** By their places. */
    private final NavigableMap<Long, Ticket> waiting = new TreeMap<>();
    /** How much room each job has. */
    private final NavigableMap<String, Long> taken = new TreeMap<>();

    /** Those who want to know of room that nobody waits for. */
    private final List<SpareWait> spareWaits = new ArrayList<>();

    private long used;
    private long places;
    /** The first that waits, while something behind it would fit without it. */
    private @Nullable Ticket holdingBack;

    /** @param limit empty if there is no limit */
    public InstanceCapacity(OptionalInt limit) {
        if (limit.isPresent() && limit.getAsInt() < 1) {
            throw new IllegalArgumentException(
                    "\"elasticjob.worker.capacity\" must be at least 1, but is %d: set it to the"
                                    .formatted(limit.getAsInt())
                            + " weight of what may run at once, or remove it for no limit");
        }
        this.limit = limit;
    }

    /** Of an engine whose capacity has no limit. */
    public static InstanceCapacity unlimited() {
        return new InstanceCapacity(OptionalInt.empty());
    }

    /** What the items may weigh together; empty if there is no limit. */
    public OptionalInt limit() {
        return limit;
    }

    /** What the items that have room weigh together; 0 if there is no limit. */
    public synchronized long used() {
        return used;
    }

    /** @param look called when it is worth while to ask, on the thread that has given room back */
    public Ticket ticket(String job, int item, Runnable look) {
        return new Ticket(job, item, look);
    }

    /** The items of the job that wait for room, with what keeps them from it. */
    public synchronized Map<Integer, LackingRoom> waiting(String job) {
        Map<Integer, LackingRoom> items = new TreeMap<>();
        waiting.values().stream()
                .filter(ticket -> ticket.job.equals(job))
                .forEach(ticket -> items.put(ticket.item, ticket.obstacle()));
        return items;
    }

    /** What waits is offered to other instances since then; for people only. */
    public synchronized void offered(String job, Collection<Integer> items, Instant since) {
        waiting.values().stream()
                .filter(ticket -> ticket.job.equals(job) && items.contains(ticket.item))
                .forEach(ticket -> ticket.offered = since);
    }

    /** What would fit behind all that waits; below 0 if not even that fits. Without a limit, there is no end to it. */
    public synchronized long spare() {
        return limit.isEmpty() ? Long.MAX_VALUE : limit.getAsInt() - used - ahead();
    }

    /** Takes room behind all that waits, without a place: if there is none, nothing waits for it. */
    public synchronized Optional<Room> takeSpare(String job, int weight) {
        return spare() < weight ? Optional.empty() : Optional.of(new Taken(job, weight, null));
    }

    /**
     * Calls back once, when so much is spare: now, on the calling thread, or on the thread that has given room back.
     *
     * @return ends the wait
     */
    public Subscription whenSpare(int weight, Runnable once) {
        SpareWait wait = new SpareWait(weight, once);
        synchronized (this) {
            if (spare() < weight) {
                spareWaits.add(wait);
                return wait;
            }
        }
        once.run();
        return wait;
    }

    private long ahead() {
        return waiting.values().stream().mapToLong(ticket -> ticket.weight).sum();
    }

    private boolean fits(long ahead, int weight) {
        return limit.isEmpty() || used + ahead + weight <= limit.getAsInt();
    }

    /**
     * Those that fit now, and the first that doesn't, if something behind it would fit without it: what it stands for may
     * need no room any more. That is found out whenever another one asks, and when this begins.
     */
    private List<Runnable> toWake(@Nullable Ticket asking) {
        List<Runnable> woken = new ArrayList<>();
        Ticket before = holdingBack;
        holdingBack = null;
        Ticket first = null;
        long ahead = 0;
        for (Ticket ticket : waiting.values()) {
            boolean fits = fits(ahead, ticket.weight);
            if (first == null && fits) {
                ahead += ticket.weight;
                ticket.wake(woken);
            } else if (first == null) {
                first = ticket;
            } else if (fits) {
                holdingBack = first;
                if (first != asking && (asking != null || first != before)) {
                    first.wake(woken);
                }
                break;
            }
        }
        wakeSpareWaits(woken);
        return woken;
    }

    private void wakeSpareWaits(List<Runnable> woken) {
        if (!spareWaits.isEmpty()) {
            long spare = spare();
            List<SpareWait> over =
                    spareWaits.stream().filter(wait -> wait.weight <= spare).toList();
            spareWaits.removeAll(over);
            over.forEach(wait -> woken.add(wait.once));
        }
    }

    private static void call(List<Runnable> woken) {
        woken.forEach(Runnable::run);
    }

    private final class SpareWait implements Subscription {
        private final int weight;
        private final Runnable once;

        SpareWait(int weight, Runnable once) {
            this.weight = weight;
            this.once = once;
        }

        @Override
        public void close() {
            synchronized (InstanceCapacity.this) {
                spareWaits.remove(this);
            }
        }
    }

    /** An item's place among those that wait. It has one from when it first asks until it is claimed or leaves. */
    public class Ticket {
        private final String job;
        private final int item;
        private final Runnable look;
        /** 0 for none. */
        private long place;

        private int weight;
        /** Of the claim that is under way. */
        private @Nullable Taken claim;
        /** Since when others may start the item. */
        private @Nullable Instant offered;
        /** Whether it was called, and has not asked or left since. */
        private boolean called;

        Ticket(String job, int item, Runnable look) {
            this.job = job;
            this.item = item;
            this.look = look;
        }

        /**
         * Takes room. If there is none, the item waits, at the place that it has.
         *
         * @throws IllegalStateException if it has room for a claim that isn't decided
         */
        public Optional<Room> ask(int itsWeight) {
            if (limit.isEmpty()) {
                return Optional.of(Room.NONE);
            }
            Optional<Room> room = Optional.empty();
            List<Runnable> woken;
            synchronized (InstanceCapacity.this) {
                if (claim != null) {
                    throw new IllegalStateException(
                            "Item %d of job \"%s\" asks for room again before its claim is decided"
                                    .formatted(item, job));
                }
                weight = itsWeight;
                called = false;
                boolean fits = fits(ahead(), weight);
                place = place == 0 ? ++places : place;
                if (fits) {
                    waiting.remove(place);
                    claim = new Taken(job, weight, this);
                    room = Optional.of(claim);
                } else {
                    waiting.put(place, this);
                }
                woken = toWake(this);
            }
            call(woken);
            return room;
        }

        /** Whether an item of this weight would be let in now. */
        public boolean wouldFit(int itsWeight) {
            synchronized (InstanceCapacity.this) {
                return fits(ahead(), itsWeight);
            }
        }

        /** The item needs no room, or may not start. */
        public void leave() {
            List<Runnable> woken = List.of();
            synchronized (InstanceCapacity.this) {
                if (forget()) {
                    woken = toWake(null);
                }
            }
            call(woken);
        }

        /** Whether the item waits for room. */
        public boolean waits() {
            synchronized (InstanceCapacity.this) {
                return waiting.containsKey(place);
            }
        }

        /** Whether it doesn't fit, and something that waits behind it would fit without it. */
        public boolean holdsBack() {
            synchronized (InstanceCapacity.this) {
                return holdingBack == this;
            }
        }

        /** What those weigh that are let in before it: all, if it has no place. */
        long ahead() {
            return waiting.headMap(place == 0 ? Long.MAX_VALUE : place, false).values().stream()
                    .mapToLong(ticket -> ticket.weight)
                    .sum();
        }

        private LackingRoom obstacle() {
            Ticket head = waiting.firstEntry().getValue();
            return new LackingRoom(
                    used,
                    limit.orElseThrow(),
                    List.copyOf(taken.keySet()),
                    fits(0, weight) && head != this
                            ? Optional.of(new LackingRoom.First(head.job, head.item, head.weight))
                            : Optional.empty(),
                    Optional.ofNullable(offered));
        }

        private void wake(List<Runnable> woken) {
            if (!called) {
                called = true;
                woken.add(look);
            }
        }

        /** It has no place any more. Returns whether it has waited. */
        private boolean forget() {
            boolean waited = waiting.remove(place) != null;
            place = 0;
            offered = null;
            claim = null;
            called = false;
            return waited;
        }

        /** Its claim was refused: the item is planned again, and asks at the place that it had. */
        private void comeBack() {
            claim = null;
            called = true;
            waiting.put(place, this);
        }
    }

    private final class Taken implements Room {
        private final String job;
        private final int weight;
        private final @Nullable Ticket ticket;

        private boolean over;

        /** @param ticket of the claim that it is taken for; null if that is decided */
        Taken(String job, int weight, @Nullable Ticket ticket) {
            this.job = job;
            this.weight = weight;
            this.ticket = ticket;
            used += weight;
            taken.merge(job, (long) weight, Long::sum);
        }

        @Override
        public Room move() {
            synchronized (InstanceCapacity.this) {
                if (over) {
                    throw new IllegalStateException(
                            "The room of job \"%s\" was given back or moved before".formatted(job));
                }
                end();
                ofItsClaim().ifPresent(Ticket::forget);
                return new Taken(job, weight, null);
            }
        }

        @Override
        public void close() {
            List<Runnable> woken;
            synchronized (InstanceCapacity.this) {
                if (over) {
                    return;
                }
                end();
                ofItsClaim().ifPresent(Ticket::comeBack);
                woken = toWake(null);
            }
            call(woken);
        }

        private void end() {
            over = true;
            used -= weight;
            taken.computeIfPresent(job, (any, all) -> all == weight ? null : all - weight);
        }

        /** Whose claim has it; empty once that is decided, or its item has left. */
        private Optional<Ticket> ofItsClaim() {
            return Optional.ofNullable(ticket).filter(one -> one.claim == this);
        }
    }
}
