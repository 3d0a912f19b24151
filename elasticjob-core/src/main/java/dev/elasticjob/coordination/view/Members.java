package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.state.Software;
import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The instances of a job, and its servers, which operators disable and enable.
 *
 * @param servers by address, also those without an instance
 * @param draining the {@code czxid}s of instances that give their items away
 * @param joined when an instance last joined or left in good order, by the registry's clock
 * @param foreign the ids of instances of other software; while they are there, none may own items
 */
public record Members(
        List<Member> all, Map<String, Server> servers, Set<Long> draining, Instant joined, SortedSet<String> foreign) {
    public Members {
        all = List.copyOf(all);
        servers = Map.copyOf(servers);
        draining = Set.copyOf(draining);
        foreign = Collections.unmodifiableSortedSet(new TreeSet<>(foreign));
    }

    public Members(List<Member> all, Map<String, Server> servers, Set<Long> draining, Instant joined) {
        this(all, servers, draining, joined, new TreeSet<>());
    }

    /** The same while such instances are there. */
    public Members besides(SortedSet<String> others) {
        return new Members(all, servers, draining, joined, others);
    }

    /** The ids of those that may own items, in descending string order, as strategies expect them. */
    public List<String> eligible() {
        return eligibleMembers().stream().map(Member::id).toList();
    }

    public List<Member> eligibleMembers() {
        return all.stream()
                .filter(member -> foreign.isEmpty() && !isDisabled(member) && !isDraining(member))
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
    public boolean areAllDisabled() {
        return !servers.isEmpty() && servers.values().stream().allMatch(Server::disabled);
    }

    /** The same before operators disabled what they have disabled since. */
    public Members beforeDisabling(Instant since) {
        Map<String, Server> before = new HashMap<>(servers);
        before.replaceAll(
                (ip, server) -> new Server(server.disabled() && server.changed().isBefore(since), server.changed()));
        return new Members(all, before, draining, joined, foreign);
    }

    /** When the last of the disabled servers was disabled; if none is, now. */
    public Instant disabledFrom(Instant now) {
        return servers.values().stream()
                .filter(Server::disabled)
                .map(Server::changed)
                .max(Comparator.naturalOrder())
                .orElse(now);
    }

    /** Whether operators have enabled a server after a pause began, so that it is over, though nobody may be there. */
    public boolean isAnyEnabledSince(Instant paused) {
        return servers.values().stream()
                .anyMatch(server -> !server.disabled() && server.changed().isAfter(paused));
    }

    /**
     * When the first server was enabled after a pause began, whether or not its instance was there. One that was enabled
     * all along ends the pause only by its instance, and then none of what became due is passed over.
     */
    public Instant enabledFrom(Instant paused, Instant now) {
        Set<String> eligible = eligibleMembers().stream().map(Member::serverIp).collect(Collectors.toSet());
        return servers.entrySet().stream()
                .filter(server -> !server.getValue().disabled())
                .filter(server -> eligible.contains(server.getKey())
                        || server.getValue().changed().isAfter(paused))
                .map(server -> server.getValue().changed())
                .map(changed -> changed.isAfter(paused) ? changed : paused)
                .min(Comparator.naturalOrder())
                .orElse(now);
    }

    /**
     * One instance.
     *
     * @param czxid distinguishes it from an earlier one of the same id
     */
    public record Member(String id, String serverIp, long czxid, Origin origin) {}

    /**
     * One server.
     *
     * @param changed when it was last disabled or enabled, by the registry's clock
     */
    public record Server(boolean disabled, Instant changed) {}

    /**
     * Where an instance comes from.
     *
     * @param session of its process
     * @param software as far as its node shows
     */
    public record Origin(long session, Software software) {
        /** A node that no session owns is nobody's: reconcile deletes it. */
        public static Origin of(RegistryNode instance) {
            return new Origin(
                    instance.ephemeralOwner(), instance.isEphemeral() ? Software.of(instance.text()) : Software.UNTOLD);
        }
    }
}
