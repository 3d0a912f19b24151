package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemRecord;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A planned change of assignment or schedule: only what differs.
 *
 * @param next what is to be in force
 * @param newItems the items that have no node yet, with the record each begins with
 * @param displays the changes of the nodes that show the owners to operators' tools
 */
public record Resharding(
        Assignment next, NavigableMap<Integer, ItemRecord> newItems, NavigableMap<Integer, Display> displays) {
    public Resharding {
        newItems = new TreeMap<>(newItems);
        displays = new TreeMap<>(displays);
    }

    /** Whether all this is so already. */
    boolean changesNothing(Optional<Assignment> before) {
        return newItems.isEmpty()
                && displays.isEmpty()
                && before.filter(next::equals).isPresent();
    }

    /** How many items change their owner, or get their first one. */
    int moves(Optional<Assignment> before) {
        return (int) next.owners().entrySet().stream()
                .filter(entry -> before.map(assignment -> assignment.owners().get(entry.getKey()))
                        .filter(entry.getValue()::equals)
                        .isEmpty())
                .count();
    }

    /** What happens to the node that shows an item's owner. */
    public sealed interface Display {
        record Create(String owner) implements Display {}

        record Change(String owner) implements Display {}

        record Remove() implements Display {}
    }
}
