package dev.elasticjob.group;

import java.util.List;

/**
 * The share of one instance in one assignment of a group. Immutable.
 *
 * @param index this instance's index, 0 … {@code total} - 1; no other instance has it in this epoch
 * @param total the number of instances that have an index
 * @param epoch the same for all instances of an assignment, and higher for each later one, as long as the registry's data
 *     exists: a fencing token. It doesn't grow by one
 * @param instances the ids of the instances, in the order of their indexes
 */
public record ShardAssignment(int index, int total, long epoch, List<String> instances) {
    public ShardAssignment {
        instances = List.copyOf(instances);
        if (index < 0 || index >= total || instances.size() != total) {
            throw new IllegalArgumentException(
                    "Expected an index below the total, and as many instances, but the index is %d, the total %d and the instances are %s"
                            .formatted(index, total, instances));
        }
    }

    /**
     * Whether a piece of work belongs to this instance: its number modulo the total is the index.
     *
     * @param number of the piece, for example of a partition; may be negative, as a hash code
     */
    public boolean owns(long number) {
        return Math.floorMod(number, total) == index;
    }
}
