package dev.elasticjob.coordination;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The instances of a job, and its servers, which operators disable and enable.
 *
 * @param servers by address, also those without an instance
 * @param draining the {@code czxid}s of instances that give their items away
 */
record Members(List<Member> all, Map<String, Server> servers, Set<Long> draining) {
    Members {
        all = List.copyOf(all);
        servers = Map.copyOf(servers);
        draining = Set.copyOf(draining);
    }

    /** The ids of those that may own items, in descending string order, as strategies expect them. */
    List<String> eligible() {
        return eligibleMembers().stream().map(Member::id).toList();
    }

    List<Member> eligibleMembers() {
        return all.stream()
                .filter(member -> !isDisabled(member) && !isDraining(member))
                .sorted(Comparator.comparing(Member::id).reversed())
                .toList();
    }

    private boolean isDisabled(Member member) {
        Server server = servers.get(member.serverIp());
        return server != null && server.disabled();
    }

    private boolean isDraining(Member member) {
        return draining.contains(member.czxid());
    }

    /** Whether operators have disabled each server that there is. */
    boolean areAllDisabled() {
        return !servers.isEmpty() && servers.values().stream().allMatch(Server::disabled);
    }

    /** The same before operators disabled what they have disabled since. */
    Members beforeDisabling(Instant since) {
        Map<String, Server> before = new HashMap<>(servers);
        before.replaceAll(
                (ip, server) -> new Server(server.disabled() && server.changed().isBefore(since), server.changed()));
        return new Members(all, before, draining);
    }

    /** When the last of the disabled servers was disabled; if none is, now. */
    Instant disabledFrom(Instant now) {
        return servers.values().stream()
                .filter(Server::disabled)
                .map(Server::changed)
                .max(Comparator.naturalOrder())
                .orElse(now);
    }

    /** When the first of the servers whose instances may own items was enabled; for one that isn't listed, now. */
    Instant enabledFrom(Instant now) {
        return eligibleMembers().stream()
                .map(member -> servers.getOrDefault(member.serverIp(), new Server(false, now)))
                .map(Server::changed)
                .min(Comparator.naturalOrder())
                .orElse(now);
    }

    /**
     * One instance.
     *
     * @param czxid tells it from an earlier one of the same id
     */
    record Member(String id, String serverIp, long czxid) {}

    /**
     * One server.
     *
     * @param changed when it was last disabled or enabled, by the registry's clock
     */
    record Server(boolean disabled, Instant changed) {}
}
