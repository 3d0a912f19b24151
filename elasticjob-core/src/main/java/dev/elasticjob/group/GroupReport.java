package dev.elasticjob.group;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state of one group, according to the registry.
 *
 * @param group the name; empty for the group without one
 * @param node the group's root node, outside of the registry's namespace
 * @param instance this instance's id in the group; empty before it has registered
 * @param leader the id of the leading instance
 * @param epoch of the assignment in force; -1 while there is none
 * @param stopping whether all are told to stop, for a new assignment
 * @param since when the assignment was made, or all were told to stop, by the clock of the registry's servers
 * @param instances the ids of all registered instances, sorted
 * @param shares the indexes, in order; while stopping, those of the assignment that ends
 * @param leftOut the ids of the instances that have no index, because they have not stopped in time
 * @param problem why the assignment can't be read; empty if it can
 */
public record GroupReport(
        String group,
        String node,
        Optional<String> instance,
        Optional<String> leader,
        long epoch,
        boolean stopping,
        Optional<Instant> since,
        List<String> instances,
        List<Share> shares,
        List<String> leftOut,
        Optional<String> problem) {
    public GroupReport {
        instances = List.copyOf(instances);
        shares = List.copyOf(shares);
        leftOut = List.copyOf(leftOut);
    }

    /** The indexes that nobody works on, in order: those who have them don't hold them. */
    public List<Share> notHeld() {
        return shares.stream().filter(share -> !share.held()).toList();
    }

    /** The indexes that are held, in order. While stopping, their owners have not stopped yet. */
    public List<Share> held() {
        return shares.stream().filter(Share::held).toList();
    }

    /**
     * One index.
     *
     * @param owner the id of the instance that it is assigned to
     * @param held whether that instance holds it now: it has been told, and has not yet stopped
     */
    public record Share(int index, String owner, boolean held) {}
}
