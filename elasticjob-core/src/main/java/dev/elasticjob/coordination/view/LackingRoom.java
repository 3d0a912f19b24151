package dev.elasticjob.coordination.view;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Why an item waits for room of its instance's capacity. Immutable.
 *
 * @param used what is taken of the capacity
 * @param by the jobs that have taken it, by name
 * @param first the item that it waits behind, if there would be room but for that; empty otherwise
 * @param offered since when it is offered to the other instances; empty if it isn't
 */
public record LackingRoom(long used, int capacity, List<String> by, Optional<First> first, Optional<Instant> offered) {
    public LackingRoom {
        by = List.copyOf(by);
    }

    /** The item that has waited longest, of whichever job. */
    public record First(String job, int item, int weight) {}
}
