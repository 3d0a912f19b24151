package dev.elasticjob.coordination.item;

import java.util.ArrayList;
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
public final class InstanceCapacity {
    private final OptionalInt limit;
    /** By their places. */
    private final NavigableMap<Long, Ticket> waiting = new TreeMap<>();
    /** How much room each job has. */
    private final NavigableMap<String, Long> taken = new TreeMap<>();

    private long used;
    private long places;

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

    /** The items of the job that wait for room, with what keeps them from it, in words. */
    public synchronized Map<Integer, String> waiting(String job) {
        Map<Integer, String> items = new TreeMap<>();
        waiting.values().stream()
                .filter(ticket -> ticket.job.equals(job))
                .forEach(ticket -> items.put(ticket.item, ticket.obstacle()));
        return items;
    }

    private boolean fits(long ahead, int weight) {
        return limit.isEmpty() || used + ahead + weight <= limit.getAsInt();
    }

    private long ahead(long place) {
        return waiting.headMap(place, false).values().stream()
                .mapToLong(ticket -> ticket.weight)
                .sum();
    }

    /**
     * Those that fit now, and the first that doesn't, if something behind it would fit without it: what it stands for may
     * need no room any more.
     */
    private List<Ticket> toWake(@Nullable Ticket asking) {
        List<Ticket> woken = new ArrayList<>();
        Ticket first = null;
        long ahead = 0;
        for (Ticket ticket : waiting.values()) {
            if (!fits(ahead, ticket.weight)) {
                first = first == null ? ticket : first;
            } else if (first == null) {
                ahead += ticket.weight;
                ticket.wake(woken);
            } else {
                if (first != asking && (ticket == asking || !first.lookedAt)) {
                    first.lookedAt = true;
                    first.wake(woken);
                }
                break;
            }
        }
        return woken;
    }

    /** An item's place among those that wait. It has one from when it first asks until it is claimed or leaves. */
    public final class Ticket {
        private final String job;
        private final int item;
        private final Runnable look;
        /** 0 for none. */
        private long place;

        private int weight;
        /** Whether it was called, and has not asked or left since. */
        private boolean called;
        /** Whether it was called although it doesn't fit, since it has its place. */
        private boolean lookedAt;

        private Ticket(String job, int item, Runnable look) {
            this.job = job;
            this.item = item;
            this.look = look;
        }

        /** Takes room. If there is none, the item waits, at the place that it has. */
        public Optional<Room> ask(int itsWeight) {
            if (limit.isEmpty()) {
                return Optional.of(Room.NONE);
            }
            Optional<Room> room = Optional.empty();
            List<Ticket> woken;
            synchronized (InstanceCapacity.this) {
                if (place == 0) {
                    place = ++places;
                }
                weight = itsWeight;
                called = false;
                if (fits(ahead(place), weight)) {
                    waiting.remove(place);
                    room = Optional.of(new Taken(this));
                } else {
                    waiting.put(place, this);
                }
                woken = toWake(this);
            }
            woken.forEach(ticket -> ticket.look.run());
            return room;
        }

        /** Whether an item of this weight would be let in now. */
        public boolean wouldFit(int itsWeight) {
            synchronized (InstanceCapacity.this) {
                return fits(ahead(place == 0 ? Long.MAX_VALUE : place), itsWeight);
            }
        }

        /** The item needs no room, or may not start. */
        public void leave() {
            List<Ticket> woken = List.of();
            synchronized (InstanceCapacity.this) {
                boolean waited = waiting.remove(place) != null;
                forget();
                if (waited) {
                    woken = toWake(null);
                }
            }
            woken.forEach(ticket -> ticket.look.run());
        }

        /** Whether the item waits for room. */
        public boolean waits() {
            synchronized (InstanceCapacity.this) {
                return waiting.containsKey(place);
            }
        }

        private String obstacle() {
            Ticket head = waiting.firstEntry().getValue();
            return fits(0, weight) && head != this
                    ? "it waits behind item %d of %s, which needs %d".formatted(head.item, head.job, head.weight)
                    : "%d of %d are taken%s"
                            .formatted(
                                    used,
                                    limit.orElse(0),
                                    taken.isEmpty() ? "" : " by " + String.join(", ", taken.keySet()));
        }

        private void wake(List<Ticket> woken) {
            if (!called) {
                called = true;
                woken.add(this);
            }
        }

        private void forget() {
            place = 0;
            called = false;
            lookedAt = false;
        }
    }

    private final class Taken implements Room {
        private final Ticket ticket;
        private final int weight;
        /** The place to which the ticket comes back, if nothing is claimed; 0 if that has happened. */
        private final long place;

        private boolean over;

        /** New room. */
        private Taken(Ticket ticket) {
            this(ticket, ticket.weight, ticket.place);
            used += weight;
            taken.merge(ticket.job, (long) weight, Long::sum);
        }

        private Taken(Ticket ticket, int weight, long place) {
            this.ticket = ticket;
            this.weight = weight;
            this.place = place;
        }

        @Override
        public Room move() {
            synchronized (InstanceCapacity.this) {
                if (over) {
                    throw new IllegalStateException("The room of item %d of job \"%s\" was given back or moved before"
                            .formatted(ticket.item, ticket.job));
                }
                over = true;
                if (ticket.place == place) {
                    ticket.forget();
                }
                return new Taken(ticket, weight, 0);
            }
        }

        @Override
        public void close() {
            List<Ticket> woken;
            synchronized (InstanceCapacity.this) {
                if (over) {
                    return;
                }
                over = true;
                used -= weight;
                taken.computeIfPresent(ticket.job, (job, all) -> all == weight ? null : all - weight);
                if (place != 0 && ticket.place == place && !waiting.containsKey(place)) {
                    // The claim was refused: its item is planned again.
                    ticket.called = true;
                    waiting.put(place, ticket);
                }
                woken = toWake(null);
            }
            woken.forEach(each -> each.look.run());
        }
    }
}
