package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemRecord;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A planned change of assignment or schedule, with the differences only.
 *
 * @param next the assignment to put in force
 * @param newItems the items without a node, with their first record
 * @param displays the changes of the owners that operators' tools see
 */
public record Resharding(
        Assignment next, NavigableMap<Integer, ItemRecord> newItems, NavigableMap<Integer, Display> displays) {
    public Resharding {
        newItems = new TreeMap<>(newItems);
        displays = new TreeMap<>(displays);
    }

    boolean changesNothing(Optional<Assignment> before) {
        return newItems.isEmpty()
                && displays.isEmpty()
                && before.filter(next::equals).isPresent();
    }

    /** The number of items that get another owner, or their first one. */
    int moves(Optional<Assignment> before) {
        return (int) next.owners().entrySet().stream()
                .filter(entry -> before.map(assignment -> assignment.owners().get(entry.getKey()))
                        .filter(entry.getValue()::equals)
                        .isEmpty())
                .count();
    }

    /** The change of the node that displays an item's owner. */
    public sealed interface Display {
        record Create(String owner) implements Display {}

        record Change(String owner) implements Display {}

        record Remove() implements Display {}
    }
}
