package dev.elasticjob.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.elasticjob.admin.GroupAttention.GroupFinding;
import dev.elasticjob.admin.GroupWatch.Look;
import dev.elasticjob.group.GroupReport;
import dev.elasticjob.group.GroupReport.Share;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each state of a group: what needs a person. */
class GroupAttentionTest {
    private static final Instant AT = Instant.parse("2026-11-23T03:00:00Z");
    private static final Optional<String> LEADER = Optional.of("a");
    private static final Optional<String> NONE = Optional.empty();
    private static final boolean STOPPING = true;
    private static final boolean ASSIGNED = false;

    static Stream<Arguments> findings() {
        return Stream.of(
                row("all work", group(ASSIGNED, LEADER, NONE, held(0, "a"), held(1, "b")), 3_600, ""),
                row("just assigned", group(ASSIGNED, LEADER, NONE, held(0, "a"), open(1, "b")), 29, ""),
                row(
                        "assigned for long, and one doesn't work",
                        group(ASSIGNED, LEADER, NONE, held(0, "a"), open(1, "b"), open(2, "c")),
                        30,
                        "INDEX_NOT_HELD [b, c] -: Nobody works on the indexes 1, 2, which belong to b, c"),
                row("just told to stop", group(STOPPING, LEADER, NONE, held(0, "a"), open(1, "b")), 29, ""),
                row("told to stop, and all have", group(STOPPING, LEADER, NONE, open(0, "a"), open(1, "b")), 600, ""),
                row(
                        "one doesn't stop",
                        group(STOPPING, LEADER, NONE, held(0, "a"), open(1, "b")),
                        30,
                        "GROUP_NOT_STOPPED [a] 03:00: All were told to stop, and the others wait until these have returned"
                                + " from startSharding: a"),
                row(
                        "nobody leads, and one doesn't stop",
                        group(STOPPING, NONE, NONE, held(0, "a")),
                        30,
                        "GROUP_WITHOUT_LEADER [] -: The group has instances, but none leads: indexes are not assigned anew"
                                + " | GROUP_NOT_STOPPED [a] 03:00: All were told to stop, and the others wait until these"
                                + " have returned from startSharding: a"),
                row(
                        "unreadable",
                        group(STOPPING, LEADER, Optional.of("no JSON")),
                        1,
                        "GROUP_UNREADABLE [] 03:00: The assignment of the indexes can't be read, so nobody gets one: no"
                                + " JSON"),
                row(
                        "no instance",
                        new GroupReport(
                                "g",
                                "/n/g",
                                NONE,
                                NONE,
                                7,
                                ASSIGNED,
                                Optional.of(AT),
                                List.of(),
                                List.of(open(0, "a")),
                                List.of(),
                                NONE),
                        3_600,
                        "GROUP_WITHOUT_INSTANCE [] -: No instance takes part in the group"),
                row(
                        "left out",
                        new GroupReport(
                                "g",
                                "/n/g",
                                NONE,
                                LEADER,
                                7,
                                ASSIGNED,
                                Optional.of(AT),
                                List.of("a", "b"),
                                List.of(held(0, "a")),
                                List.of("b"),
                                NONE),
                        3_600,
                        "INSTANCE_LEFT_OUT [b] -: They have no index, because they had not returned from startSharding in"
                                + " time: b"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("findings")
    void eachStateOfAGroup(String state, GroupReport group, long seconds, String expected) {
        assertThat(GroupAttention.of(group, AT.plus(Duration.ofSeconds(seconds))).stream()
                        .map(GroupAttentionTest::text)
                        .collect(Collectors.joining(" | ")))
                .isEqualTo(expected);
    }

    @Test
    void whatTheRegistryShowsNoTimeOfIsAsOldAsTheFirstOfTheLooksThatFindIt() {
        ManualTime time = new ManualTime(AT);
        GroupReport leaderless = group(ASSIGNED, NONE, NONE, held(0, "a"));
        List<GroupReport> groups = new ArrayList<>(List.of(leaderless));
        GroupWatch watch = new GroupWatch(() -> CompletableFuture.completedFuture(List.copyOf(groups)), time);

        Look first = watch.look().toCompletableFuture().join();
        time.advance(Duration.ofMinutes(5));
        Look later = watch.look().toCompletableFuture().join();
        groups.clear();
        watch.look().toCompletableFuture().join();
        groups.add(leaderless);
        Look again = watch.look().toCompletableFuture().join();

        assertThat(first.findings())
                .extracting(GroupFinding::kind, GroupFinding::since, GroupFinding::seen)
                .containsExactly(tuple(GroupFinding.Kind.GROUP_WITHOUT_LEADER, Optional.empty(), Optional.of(AT)));
        assertThat(later).isEqualTo(first);
        assertThat(again.findings()).extracting(GroupFinding::seen).containsExactly(Optional.of(AT.plusSeconds(300)));
    }

    @Test
    void groupsThatMayNotBeReadAreSaidToBeUnknown() {
        GroupWatch watch = new GroupWatch(
                () -> CompletableFuture.failedFuture(new CompletionException(new RegistryAccessDeniedException(
                        "/g", "not allowed to read /g", new IllegalStateException()))),
                new ManualTime(AT));

        assertThat(watch.look().toCompletableFuture().join())
                .isEqualTo(new Look(List.of(), Optional.of("not allowed to read /g")));
    }

    private static String text(GroupFinding finding) {
        return "%s %s %s: %s"
                .formatted(
                        finding.kind(),
                        finding.instances(),
                        finding.since()
                                .map(at -> at.toString().substring(11, 16))
                                .orElse("-"),
                        finding.fact().text());
    }

    private static Arguments row(String state, GroupReport group, long seconds, String expected) {
        return Arguments.of(state, group, seconds, expected);
    }

    private static GroupReport group(
            boolean stopping, Optional<String> leader, Optional<String> problem, Share... shares) {
        return new GroupReport(
                "g",
                "/n/g",
                Optional.empty(),
                leader,
                stopping ? -1 : 7,
                stopping,
                Optional.of(AT),
                List.of("a", "b", "c"),
                List.of(shares),
                List.of(),
                problem);
    }

    private static Share held(int index, String owner) {
        return new Share(index, owner, true);
    }

    private static Share open(int index, String owner) {
        return new Share(index, owner, false);
    }
}
