package dev.elasticjob.coordination;

import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * The instances of a job, and the servers that operators have disabled.
 *
 * @param disabledServers by address
 * @param draining the {@code czxid}s of instances that give their items away
 */
record Members(List<Member> all, Set<String> disabledServers, Set<Long> draining) {
    Members {
        all = List.copyOf(all);
        disabledServers = Set.copyOf(disabledServers);
        draining = Set.copyOf(draining);
    }

    /** The ids of those that may own items, in descending string order, as strategies expect them. */
    List<String> eligible() {
        return eligibleMembers().stream().map(Member::id).toList();
    }

    List<Member> eligibleMembers() {
        return all.stream()
                .filter(member -> !disabledServers.contains(member.serverIp()) && !draining.contains(member.czxid()))
                .sorted(Comparator.comparing(Member::id).reversed())
                .toList();
    }

    /**
     * One instance.
     *
     * @param czxid tells it from an earlier one of the same id
     */
    record Member(String id, String serverIp, long czxid) {}
}
