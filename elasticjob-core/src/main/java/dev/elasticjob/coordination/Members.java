package dev.elasticjob.coordination;

import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * The instances of a job, and the servers that operators have disabled.
 *
 * @param disabledServers by address
 */
record Members(List<Member> all, Set<String> disabledServers) {
    Members {
        all = List.copyOf(all);
        disabledServers = Set.copyOf(disabledServers);
    }

    /** The ids of those that may own items, in descending string order, as strategies expect them. */
    List<String> eligible() {
        return eligibleMembers().stream().map(Member::id).toList();
    }

    List<Member> eligibleMembers() {
        return all.stream()
                .filter(member -> !disabledServers.contains(member.serverIp()))
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
