package dev.elasticjob.coordination.group;

import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What the node that decides says: the phase, and who has which index.
 *
 * @param phase whether members may take their indexes
 * @param members by index; while stopping, those of the assignment that ends
 * @param leftOut members that have no index, because they have not stopped in time
 */
record GroupAssignment(Phase phase, List<Member> members, List<Member> leftOut) {
    static final GroupAssignment NONE = new GroupAssignment(Phase.STOPPING, List.of(), List.of());

    GroupAssignment {
        members = List.copyOf(members);
        leftOut = List.copyOf(leftOut);
    }

    enum Phase {
        ASSIGNED,
        /** Nobody may take an index, until the next assignment. */
        STOPPING
    }

    /**
     * An instance as one registration shows it.
     *
     * @param czxid of its node: distinguishes it from an earlier one with the same id
     */
    record Member(String id, long czxid) implements Comparable<Member> {
        @Override
        public int compareTo(Member other) {
            int byId = id.compareTo(other.id);
            return byId == 0 ? Long.compare(czxid, other.czxid) : byId;
        }
    }

    boolean isStopping() {
        return phase == Phase.STOPPING;
    }

    /** The same assignment, which ends. */
    GroupAssignment stopping() {
        return new GroupAssignment(Phase.STOPPING, members, leftOut);
    }

    /** The index that a member may take. */
    Optional<Integer> indexOf(Member member) {
        return isStopping()
                ? Optional.empty()
                : IntStream.range(0, members.size())
                        .filter(index -> members.get(index).equals(member))
                        .boxed()
                        .findFirst();
    }

    /** Whether it was made for exactly these. */
    boolean isFor(List<Member> registered) {
        TreeSet<Member> known = new TreeSet<>(members);
        known.addAll(leftOut);
        return known.equals(new TreeSet<>(registered));
    }

    List<String> ids() {
        return members.stream().map(Member::id).toList();
    }

    Stream<Integer> indexes() {
        return IntStream.range(0, members.size()).boxed();
    }
}
