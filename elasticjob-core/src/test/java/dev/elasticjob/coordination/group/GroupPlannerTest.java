package dev.elasticjob.coordination.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.group.GroupAssignment.Member;
import dev.elasticjob.coordination.group.GroupAssignment.Phase;
import dev.elasticjob.coordination.group.GroupPlanner.Decision.Assign;
import dev.elasticjob.coordination.group.GroupPlanner.Decision.Await;
import dev.elasticjob.coordination.group.GroupPlanner.Decision.AwaitJoins;
import dev.elasticjob.coordination.group.GroupPlanner.Decision.Rest;
import dev.elasticjob.coordination.group.GroupPlanner.Decision.Stop;
import dev.elasticjob.coordination.group.GroupPlanner.Patience;
import dev.elasticjob.coordination.group.GroupPlanner.Situation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GroupPlannerTest {
    private static final Member A = new Member("a", 1);
    private static final Member B = new Member("b", 2);
    private static final Member C = new Member("c", 3);
    private static final Member B_AGAIN = new Member("b", 9);
    private static final Map<Integer, String> NOBODY = Map.of();
    private static final Patience ALL = new Patience(true, true);
    private static final Patience NOT_FOR_JOINS = new Patience(false, true);
    private static final Patience NOT_FOR_HOLDERS = new Patience(true, false);

    static Stream<Arguments> rules() {
        return Stream.of(
                rule("the right ones are there", assigned(A, B), List.of(A, B), NOBODY, ALL, new Rest()),
                rule("in another order", assigned(A, B), List.of(B, A), NOBODY, ALL, new Rest()),
                rule("they hold their indexes", assigned(A, B), List.of(A, B), Map.of(0, "a"), ALL, new Rest()),
                rule("one has joined", assigned(A), List.of(A, B), NOBODY, ALL, new AwaitJoins()),
                rule("one has joined long ago", assigned(A), List.of(A, B), NOBODY, NOT_FOR_JOINS, new Stop()),
                rule("one has left", assigned(A, B), List.of(A), NOBODY, ALL, new Stop()),
                rule("one has left, another joined", assigned(A, B), List.of(A, C), NOBODY, ALL, new Stop()),
                rule("one has come back", assigned(A, B), List.of(A, B_AGAIN), NOBODY, ALL, new Stop()),
                rule("one who was left out is there", out(List.of(A), B), List.of(A, B), NOBODY, ALL, new Rest()),
                rule(
                        "one who was left out has come back",
                        out(List.of(A), B),
                        List.of(A, B_AGAIN),
                        NOBODY,
                        ALL,
                        new Stop()),
                rule("one who was left out is gone", out(List.of(A), B), List.of(A), NOBODY, ALL, new Stop()),
                rule("all are gone but the leader", assigned(A, B, C), List.of(C), NOBODY, ALL, new Stop()),
                rule("nobody holds", stopping(A, B), List.of(A, C), NOBODY, ALL, assign(List.of(A, C))),
                rule("the first time", GroupAssignment.NONE, List.of(A), NOBODY, ALL, assign(List.of(A))),
                rule("by id", stopping(), List.of(C, A, B), NOBODY, ALL, assign(List.of(A, B, C))),
                rule("one holds", stopping(A, B), List.of(A, B), Map.of(1, "b"), ALL, new Await(Map.of(1, "b"))),
                rule(
                        "one holds who is gone",
                        stopping(A, B),
                        List.of(A),
                        Map.of(1, "b"),
                        ALL,
                        new Await(Map.of(1, "b"))),
                rule(
                        "one holds for too long",
                        stopping(A, B),
                        List.of(A, B, C),
                        Map.of(1, "b"),
                        NOT_FOR_HOLDERS,
                        assign(List.of(A, C), List.of(B), 1)),
                rule(
                        "one was left out, and has not come back",
                        new GroupAssignment(Phase.STOPPING, List.of(A), List.of(B)),
                        List.of(A, B, C),
                        NOBODY,
                        ALL,
                        assign(List.of(A, C), List.of(B))),
                rule(
                        "one was left out, and is another one now",
                        new GroupAssignment(Phase.STOPPING, List.of(A), List.of(B)),
                        List.of(A, B_AGAIN),
                        NOBODY,
                        ALL,
                        assign(List.of(A, B_AGAIN))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void decides(String when, Situation seen, Patience patience, GroupPlanner.Decision expected) {
        assertThat(GroupPlanner.decide(seen, patience)).isEqualTo(expected);
    }

    @Test
    void aRequestIsAnsweredAlthoughTheRightOnesAreThere() {
        var seen = new Situation(assigned(A), List.of(A), true, new TreeMap<>());

        assertThat(GroupPlanner.decide(seen, ALL)).isEqualTo(new Stop());
    }

    private static Arguments rule(
            String when,
            GroupAssignment assignment,
            List<Member> registered,
            Map<Integer, String> held,
            Patience patience,
            GroupPlanner.Decision expected) {
        return Arguments.of(
                when, new Situation(assignment, registered, false, new TreeMap<>(held)), patience, expected);
    }

    private static GroupAssignment assigned(Member... members) {
        return out(List.of(members));
    }

    private static GroupAssignment out(List<Member> members, Member... leftOut) {
        return new GroupAssignment(Phase.ASSIGNED, members, List.of(leftOut));
    }

    private static GroupAssignment stopping(Member... members) {
        return assigned(members).stopping();
    }

    private static Assign assign(List<Member> members) {
        return assign(members, List.of());
    }

    private static Assign assign(List<Member> members, List<Member> leftOut, Integer... overridden) {
        return new Assign(new GroupAssignment(Phase.ASSIGNED, members, leftOut), List.of(overridden));
    }
}
