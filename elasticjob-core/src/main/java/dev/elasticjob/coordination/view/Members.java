package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.ServerState;
import dev.elasticjob.coordination.state.Software;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.definition.text.LabelSelector;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The instances and servers of a job. Operators enable and disable servers.
 *
 * @param servers the servers by address, including those without an instance
 * @param draining the {@code czxid}s of instances that get no items: they give theirs away, or keep them for their successors
 * @param joined the time when an instance last joined or left properly, by the registry's clock
 * @param foreign the ids of instances of other software; while there are any, no instance may own items
 * @param unchosen the {@code czxid}s of instances that the job doesn't choose; those that have left included
 * @param leavers the instances that have left and may come back
 */
public record Members(
        List<Member> all,
        Map<String, Server> servers,
        Set<Long> draining,
        Instant joined,
        SortedSet<String> foreign,
        Set<Long> unchosen,
        List<Leaver> leavers) {
    public Members {
        unchosen = Set.copyOf(unchosen);
        leavers = List.copyOf(leavers);
        all = List.copyOf(all);
        servers = Map.copyOf(servers);
        draining = Set.copyOf(draining);
        foreign = Collections.unmodifiableSortedSet(new TreeSet<>(foreign));
    }

    public Members(List<Member> all, Map<String, Server> servers, Set<Long> draining, Instant joined) {
        this(all, servers, draining, joined, List.of());
    }

    Members(List<Member> all, Map<String, Server> servers, Set<Long> draining, Instant joined, List<Leaver> leavers) {
        this(all, servers, draining, joined, new TreeSet<>(), Set.of(), leavers);
    }

    /** As they were read with a job, for people, without the time when an instance last joined. */
    public static Members of(JobSnapshot job) {
        return of(job.view(), job.view().answer(), Instant.MIN);
    }

    /** @param answer covers the view's members and the node of its instances */
    static Members of(JobView view, RegistryAnswer answer) {
        Optional<RegistryNode> parent = answer.node(view.tree().instances());
        return of(view, answer, parent.map(RegistryNode::modified).orElse(Instant.MIN));
    }

    private static Members of(JobView view, RegistryAnswer answer, Instant joined) {
        JobTree tree = view.tree();
        List<Member> members = new ArrayList<>();
        for (String id : view.instances()) {
            answer.node(tree.instance(id))
                    .ifPresent(node -> members.add(
                            new Member(id, NodeCodec.serverIp(id, node.text()), node.czxid(), Origin.of(node))));
        }
        Map<String, Server> servers = new HashMap<>();
        for (String ip : view.servers()) {
            answer.node(tree.server(ip))
                    .ifPresent(node -> servers.put(ip, new Server(ServerState.isDisabled(node), node.modified())));
        }
        Set<Long> draining = new HashSet<>();
        List<Leaver> leavers = new ArrayList<>();
        for (String id : view.draining()) {
            answer.node(tree.drain(id)).ifPresent(node -> {
                Optional<RegistryNode> own =
                        view.instances().contains(id) ? answer.node(tree.instance(id)) : Optional.empty();
                Leaver.of(id, node, own).ifPresent(leavers::add);
                if (OperatorDrain.of(node).isEmpty()) {
                    draining.add(NodeCodec.drained(node));
                } else if (view.instances().contains(id)) {
                    answer.node(tree.instance(id)).ifPresent(instance -> draining.add(instance.czxid()));
                }
            });
        }
        return new Members(members, servers, draining, joined, leavers);
    }

    /** Returns a copy with one more instance. */
    public Members joinedBy(Member another) {
        List<Member> more = new ArrayList<>(all);
        more.add(another);
        return new Members(more, servers, draining, joined, foreign, unchosen, leavers);
    }

    /** Whether a server is listed on which an instance may own items. */
    public boolean isAnyEnabled() {
        return servers.values().stream().anyMatch(server -> !server.disabled());
    }

    /** Returns a copy in which each instance shows this. */
    public Members shownAs(UnaryOperator<Member> shown) {
        return new Members(all.stream().map(shown).toList(), servers, draining, joined, foreign, unchosen, leavers);
    }

    /**
     * Returns these members as a job sees them that chooses its instances by their labels. An instance whose labels can't be
     * told now counts as chosen: it knows them, and starts nothing if it isn't.
     */
    public Members chosenBy(LabelSelector runOn) {
        Set<Long> others = Stream.concat(all.stream(), leavers.stream().map(Leaver::was))
                .filter(member -> !runOn.mayMatch(member.origin().labels()))
                .map(Member::czxid)
                .collect(Collectors.toSet());
        return new Members(all, servers, draining, joined, foreign, others, leavers);
    }

    /** Returns a copy with these foreign instances. */
    public Members besides(SortedSet<String> others) {
        return new Members(all, servers, draining, joined, others, unchosen, leavers);
    }

    /** The ids of the instances that may own items, in descending string order, as strategies expect them. */
    public List<String> eligible() {
        return eligibleMembers().stream().map(Member::id).toList();
    }

    public List<Member> eligibleMembers() {
        return onTime(present(true), Member::clockDiffers);
    }

    /** Those whose clock differs own items only where there are no others: what they own waits for their clocks. */
    static <T> List<T> onTime(List<T> there, Predicate<T> clockDiffers) {
        List<T> others = there.stream().filter(clockDiffers.negate()).toList();
        return others.isEmpty() ? there : others;
    }

    /** Those that might own items if the job chose them, in the same order. */
    public List<Member> unchosenMembers() {
        return present(false);
    }

    /** Whether the job chooses an instance that is there, whatever operators want of it; also if nobody is there. */
    public boolean isAnyChosen() {
        return all.isEmpty() || all.stream().anyMatch(member -> !unchosen.contains(member.czxid()));
    }

    private List<Member> present(boolean chosen) {
        return all.stream()
                .filter(member -> foreign.isEmpty() && !isDisabled(member) && !isDraining(member))
                .filter(member -> chosen != unchosen.contains(member.czxid()))
                .sorted(Comparator.comparing(Member::id).reversed())
                .toList();
    }

    /** The ids of the instances that may own items, in the same order, with what they show, as far as it is known. */
    public NavigableMap<String, Shown> eligibleAsShown() {
        NavigableMap<String, Shown> eligible = new TreeMap<>(Comparator.reverseOrder());
        eligibleMembers()
                .forEach(member ->
                        eligible.put(member.id(), member.origin().shown().orElse(Shown.NOTHING)));
        return eligible;
    }

    /** Whether the instance, or its successor, might own items if it were there. */
    public boolean admits(Leaver leaver) {
        return foreign.isEmpty()
                && !isDisabled(leaver.was())
                && !unchosen.contains(leaver.was().czxid());
    }

    private boolean isDisabled(Member member) {
        Server server = servers.get(member.serverIp());
        return server != null && server.disabled();
    }

    private boolean isDraining(Member member) {
        return draining.contains(member.czxid());
    }

    /** Whether operators have disabled all servers. */
    public boolean areAllDisabled() {
        return !servers.isEmpty() && servers.values().stream().allMatch(Server::disabled);
    }

    /** Returns the members as they were before operators disabled servers at or after this time. */
    public Members beforeDisabling(Instant since) {
        Map<String, Server> before = new HashMap<>(servers);
        before.replaceAll(
                (ip, server) -> new Server(server.disabled() && server.changed().isBefore(since), server.changed()));
        return new Members(all, before, draining, joined, foreign, unchosen, leavers);
    }

    /** The time when the last disabled server was disabled; if none is, the present time. */
    public Instant disabledFrom(Instant now) {
        return servers.values().stream()
                .filter(Server::disabled)
                .map(Server::changed)
                .max(Comparator.naturalOrder())
                .orElse(now);
    }

    /**
     * Whether operators have enabled a server since a pause began, so that the pause is over, even if it has no
     * instance.
     */
    public boolean isAnyEnabledSince(Instant paused) {
        return servers.values().stream()
                .anyMatch(server -> !server.disabled() && server.changed().isAfter(paused));
    }

    /**
     * The time when the first server was enabled after a pause began, whether or not it had an instance. A server that
     * was enabled all along ends the pause only through its instance, and then no firing that became due is skipped.
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
     * @param czxid distinguishes it from earlier instances with the same id
     */
    public record Member(String id, String serverIp, long czxid, Origin origin) {
        boolean clockDiffers() {
            return origin.shown().filter(Shown::clockDiffers).isPresent();
        }
    }

    /**
     * One server.
     *
     * @param changed the time when it was last disabled or enabled, by the registry's clock
     */
    public record Server(boolean disabled, Instant changed) {}

    /**
     * What an instance says of itself.
     *
     * @param labels by which jobs choose it
     * @param capacity what its items may weigh together; empty for no limit
     * @param version of this library; empty if it doesn't say so
     * @param clockDiffers whether its clock differs from the registry's by more than the job allows
     */
    public record Shown(InstanceLabels labels, OptionalInt capacity, Optional<String> version, boolean clockDiffers) {
        /** No labels, and no limit. */
        public static final Shown NOTHING = new Shown(InstanceLabels.NONE, OptionalInt.empty());

        /** Of an instance that doesn't say its version. */
        public Shown(InstanceLabels labels, OptionalInt capacity) {
            this(labels, capacity, Optional.empty(), false);
        }

        /** Whether an item of this weight may start there. */
        public boolean carries(int weight) {
            return weight <= capacity.orElse(Integer.MAX_VALUE);
        }

        /** What the node of an instance shows; empty if it doesn't now, because a tool has written a command into it. */
        static Optional<Shown> of(String node) {
            return NodeCodec.labels(node)
                    .map(labels -> new Shown(
                            labels, NodeCodec.capacity(node), NodeCodec.version(node), NodeCodec.clockDiffers(node)));
        }
    }

    /**
     * The origin of an instance.
     *
     * @param session of its process
     * @param software the software, according to the instance's node
     * @param shown what the node says of it; empty if it doesn't now
     */
    public record Origin(long session, Software software, Optional<Shown> shown) {
        /** Of an instance whose node has gone before it was read. */
        public static final Origin UNKNOWN = new Origin(0, Software.UNTOLD, Optional.empty());

        /** Of an instance without labels. */
        public Origin(long session, Software software) {
            this(session, software, Optional.of(Shown.NOTHING));
        }

        /** By which jobs choose it; empty if the node doesn't show them now. */
        public Optional<InstanceLabels> labels() {
            return shown.map(Shown::labels);
        }

        /** A node without a session belongs to no instance; reconciling deletes it. */
        public static Origin of(RegistryNode instance) {
            return new Origin(
                    instance.ephemeralOwner(),
                    instance.isEphemeral() ? Software.of(instance.text()) : Software.UNTOLD,
                    Shown.of(instance.text()));
        }
    }
}
