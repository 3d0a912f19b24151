package dev.elasticjob.admin;

import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.explain.Fact;
import dev.elasticjob.admin.explain.Remedy;
import dev.elasticjob.admin.explain.Sentence;
import dev.elasticjob.coordination.group.GroupScope;
import dev.elasticjob.group.GroupReport;
import dev.elasticjob.group.GroupReport.Share;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Decides what of a group needs a person: what stands still, or leaves an index without work, for longer than the leader needs
 * to assign anew. Pure.
 */
public final class GroupAttention {
    /** Indexes change hands for as long as instances may take to stop, where nothing else is set. */
    public static final Duration USUAL_STOP_TIMEOUT = GroupScope.Times.DEFAULT.stopTimeout();

    private GroupAttention() {}

    /**
     * Something in one group that needs a person. Immutable.
     *
     * @param node the group's root node, which distinguishes it from those of other namespaces
     * @param instances the ids of those that it concerns, sorted
     * @param since the earliest time that the registry shows for it; empty if it shows none
     * @param seen if the registry shows no time, the time when this process first saw it; otherwise empty
     * @param fact what was found
     * @param remedy what ends it
     */
    public record GroupFinding(
            String group,
            String node,
            Kind kind,
            List<String> instances,
            Optional<Instant> since,
            Optional<Instant> seen,
            Sentence fact,
            Sentence remedy) {
        /** The worst first, of one kind the longest lasting first, then by group. */
        public static final Comparator<GroupFinding> WORST_FIRST = Comparator.comparing(GroupFinding::kind)
                .thenComparing(GroupFinding::begin)
                .thenComparing(GroupFinding::node);

        public GroupFinding {
            instances = List.copyOf(instances);
        }

        /** When it began, as far as anybody knows; the last of all times if nobody does. */
        public Instant begin() {
            return since.or(this::seen).orElse(Instant.MAX);
        }

        static FirstSeen<GroupFinding, Kind> seenBy(Clock clock) {
            return new FirstSeen<>(clock, GroupFinding::kind, GroupFinding::since, GroupFinding::firstSeen);
        }

        private GroupFinding firstSeen(Instant at) {
            return new GroupFinding(group, node, kind, instances, since, Optional.of(at), fact, remedy);
        }

        /** The kinds of findings, worst first. */
        public enum Kind {
            /** Nobody works on anything, because the assignment can't be read, and no leader makes another one. */
            GROUP_UNREADABLE(Finding.Kind.UNREADABLE),
            /** No instance takes part. */
            GROUP_WITHOUT_INSTANCE(Finding.Kind.NO_INSTANCE),
            /** The group has instances, but no leader: indexes are not assigned anew. */
            GROUP_WITHOUT_LEADER(Finding.Kind.NO_LEADER),
            /** All have been told to stop, and some have not returned: nobody else gets an index. */
            GROUP_NOT_STOPPED(Finding.Kind.NO_LEADER),
            /** Instances have an index, and don't work on it. */
            INDEX_NOT_HELD(Finding.Kind.STUCK),
            /** Instances work on nothing, because they have not stopped in time; the others have all indexes. */
            INSTANCE_LEFT_OUT(Finding.Kind.PROBLEM);

            private final Finding.Kind asBadAs;

            Kind(Finding.Kind asBadAs) {
                this.asBadAs = asBadAs;
            }

            /** What of a job is as bad, for lists that show both. */
            public Finding.Kind asBadAs() {
                return asBadAs;
            }
        }
    }

    /** @param now by a clock that agrees with that of the registry's servers */
    public static List<GroupFinding> of(GroupReport group, Instant now) {
        if (group.instances().isEmpty()) {
            return List.of(finding(
                    group,
                    GroupFinding.Kind.GROUP_WITHOUT_INSTANCE,
                    List.of(),
                    Optional.empty(),
                    Fact.GROUP_WITHOUT_INSTANCE.of(),
                    Remedy.START_MEMBER.of("node", group.node())));
        }
        return Stream.of(unreadable(group), withoutLeader(group), indexes(group, now), leftOut(group))
                .flatMap(Optional::stream)
                .sorted(GroupFinding.WORST_FIRST)
                .toList();
    }

    private static Optional<GroupFinding> unreadable(GroupReport group) {
        return group.problem()
                .map(problem -> finding(
                        group,
                        GroupFinding.Kind.GROUP_UNREADABLE,
                        List.of(),
                        group.since(),
                        Fact.GROUP_UNREADABLE.of("problem", problem),
                        Remedy.EMPTY_ASSIGNMENT.of()));
    }

    private static Optional<GroupFinding> withoutLeader(GroupReport group) {
        return group.leader().isPresent()
                ? Optional.empty()
                : Optional.of(finding(
                        group,
                        GroupFinding.Kind.GROUP_WITHOUT_LEADER,
                        List.of(),
                        Optional.empty(),
                        Fact.NOBODY_LEADS_GROUP.of(),
                        Remedy.WAIT_FOR_LEADER.of()));
    }

    /** What lasts for as long as instances may take to stop is on its way. */
    private static Optional<GroupFinding> indexes(GroupReport group, Instant now) {
        boolean fresh = group.since()
                .map(since -> now.isBefore(since.plus(USUAL_STOP_TIMEOUT)))
                .orElse(false);
        List<Share> shares = group.stopping() ? group.held() : group.notHeld();
        if (fresh || shares.isEmpty()) {
            return Optional.empty();
        }
        SortedSet<String> owners = new TreeSet<>();
        shares.forEach(share -> owners.add(share.owner()));
        List<String> ids = List.copyOf(owners);
        return Optional.of(
                group.stopping()
                        ? finding(
                                group,
                                GroupFinding.Kind.GROUP_NOT_STOPPED,
                                ids,
                                group.since(),
                                Fact.NOT_STOPPED.of("ids", String.join(", ", ids)),
                                Remedy.RESTART_MEMBER.of())
                        : finding(
                                group,
                                GroupFinding.Kind.INDEX_NOT_HELD,
                                ids,
                                Optional.empty(),
                                Fact.INDEX_NOT_HELD.of(
                                        "indexes", indexes(shares),
                                        "ids", String.join(", ", ids)),
                                Remedy.LOOK_AT_MEMBER.of()));
    }

    private static String indexes(List<Share> shares) {
        return String.join(
                ", ",
                shares.stream().map(share -> String.valueOf(share.index())).toList());
    }

    private static Optional<GroupFinding> leftOut(GroupReport group) {
        return group.leftOut().isEmpty()
                ? Optional.empty()
                : Optional.of(finding(
                        group,
                        GroupFinding.Kind.INSTANCE_LEFT_OUT,
                        group.leftOut(),
                        Optional.empty(),
                        Fact.LEFT_OUT.of("ids", String.join(", ", group.leftOut())),
                        Remedy.RESTART_MEMBER.of()));
    }

    private static GroupFinding finding(
            GroupReport group,
            GroupFinding.Kind kind,
            List<String> instances,
            Optional<Instant> since,
            Sentence fact,
            Sentence remedy) {
        return new GroupFinding(group.group(), group.node(), kind, instances, since, Optional.empty(), fact, remedy);
    }
}
