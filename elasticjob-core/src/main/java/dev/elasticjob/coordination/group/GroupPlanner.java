package dev.elasticjob.coordination.group;

import dev.elasticjob.coordination.group.GroupAssignment.Member;
import dev.elasticjob.coordination.group.GroupAssignment.Phase;
import dev.elasticjob.coordination.group.GroupPlanner.Decision.Assign;
import dev.elasticjob.coordination.group.GroupPlanner.Decision.Await;
import dev.elasticjob.coordination.group.GroupPlanner.Decision.AwaitJoins;
import dev.elasticjob.coordination.group.GroupPlanner.Decision.Rest;
import dev.elasticjob.coordination.group.GroupPlanner.Decision.Stop;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/** Decides what the leader of a group does. Pure. */
final class GroupPlanner {
    private GroupPlanner() {}

    /**
     * What the leader still waits for.
     *
     * @param forJoins more instances that may join
     * @param forHolders instances that have not stopped
     */
    record Patience(boolean forJoins, boolean forHolders) {}

    /**
     * What the leader sees.
     *
     * @param registered the instances that are there
     * @param requested whether a new assignment is requested, whoever is there
     * @param held the ids of those who hold an index, by index
     */
    record Situation(
            GroupAssignment assignment, List<Member> registered, boolean requested, SortedMap<Integer, String> held) {}

    /** What the leader of a group does next. */
    sealed interface Decision {
        /** Nothing: the assignment is that of the registered instances. */
        record Rest() implements Decision {}

        /** Waits a moment for further instances: those that start together cause one assignment. */
        record AwaitJoins() implements Decision {}

        /** Tells all to stop. */
        record Stop() implements Decision {}

        /**
         * Waits until the first of them has stopped.
         *
         * @param held the ids of those who still hold an index, by index
         */
        record Await(Map<Integer, String> held) implements Decision {}

        /**
         * Makes an assignment.
         *
         * @param overridden indexes that are still held, by instances that are left out
         */
        record Assign(GroupAssignment next, List<Integer> overridden) implements Decision {}
    }

    static Decision decide(Situation seen, Patience patience) {
        GroupAssignment present = seen.assignment();
        if (!present.isStopping()) {
            if (present.isFor(seen.registered()) && !seen.requested()) {
                return new Rest();
            }
            return patience.forJoins() && haveOnlyJoined(seen) ? new AwaitJoins() : new Stop();
        }
        return seen.held().isEmpty() || !patience.forHolders() ? assign(seen) : new Await(seen.held());
    }

    /** Whether all instances are still there that the assignment was made for. */
    private static boolean haveOnlyJoined(Situation seen) {
        return !seen.requested()
                && seen.registered().containsAll(seen.assignment().members())
                && seen.registered().containsAll(seen.assignment().leftOut());
    }

    private static Decision assign(Situation seen) {
        Set<String> overdue = new HashSet<>(seen.held().values());
        List<Member> members = new ArrayList<>();
        List<Member> leftOut = new ArrayList<>();
        for (Member member : seen.registered().stream().sorted().toList()) {
            boolean out =
                    overdue.contains(member.id()) || seen.assignment().leftOut().contains(member);
            (out ? leftOut : members).add(member);
        }
        return new Assign(
                new GroupAssignment(Phase.ASSIGNED, members, leftOut),
                List.copyOf(seen.held().keySet()));
    }
}
