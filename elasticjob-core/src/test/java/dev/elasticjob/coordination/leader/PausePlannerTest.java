package dev.elasticjob.coordination.leader;

import static dev.elasticjob.coordination.Samples.THEM;
import static dev.elasticjob.coordination.Samples.US;
import static dev.elasticjob.coordination.Samples.definition;
import static dev.elasticjob.coordination.Samples.owners;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.Samples;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.view.Members;
import dev.elasticjob.coordination.view.Pause;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.schedule.Schedule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Pauses of the job, of its namespace, and of its servers, in plans. A firing is due at each full second. */
class PausePlannerTest {
    private static final Instant START = Instant.parse("2026-11-22T12:00:00Z");
    private static final JobDefinition JOB = definition().build();

    private final Map<String, Members.Server> servers =
            new HashMap<>(Map.of("10.0.0.1", server(false, 0), "10.0.0.2", server(false, 0)));
    private final List<Pause> pauses = new ArrayList<>();
    private Instant planned = START;
    private Assignment inForce =
            new Assignment(JOB.schedule(), START, List.of(), null, true, null, basis().digest(), owners(3, US));

    @Test
    void aPlanWithOwnersInAPauseIsBehind() {
        pauses.add(new Pause(at(10.5), null));

        assertThat(isBehind()).isTrue();
        assertThat(basis().allowsOwners()).isFalse();
        plan(12);
        assertThat(isBehind()).isFalse();
        assertThat(inForce.pausedFrom()).isNull();
    }

    @Test
    void aPauseThatIsOverIsAppliedOnce() {
        pauses.add(new Pause(at(10.5), at(20.5)));

        assertThat(isBehind()).isTrue();
        plan(30);
        assertThat(isBehind()).isFalse();
        assertThat(inForce.since()).isEqualTo(at(20.5));
        assertOwed(1, 10);
        assertNotOwed(11, 20);
        assertOwed(21, 40);
    }

    @Test
    void anAssignmentWithoutOwnersIsBehindOnceThePauseIsGone() {
        pauses.add(new Pause(at(10.5), null));
        plan(12);
        pauses.clear();

        assertThat(isBehind()).isTrue();
    }

    @Test
    void aScheduleThatChangesInAPauseEndsTheOneBeforeAtItsBeginning() {
        pauses.add(new Pause(at(10.5), null));

        Assignment next = inForce.withSchedule(
                Schedule.of("7 * * * * ?", JOB.timeZone()),
                true,
                at(15),
                PausePlanner.of(inForce, planned, basis(), at(20)).since());

        assertThat(next.former())
                .singleElement()
                .satisfies(former -> assertThat(former.until()).isEqualTo(at(10.5)));
    }

    @Test
    void thePauseByServersRemembersWhatItOverlapped() {
        pauses.add(new Pause(at(5.5), null));
        plan(6);
        switchServers(true, 10.5);
        plan(11);
        pauses.set(0, new Pause(at(5.5), at(20.5)));
        plan(21);
        assertThat(inForce.pausedFrom()).isEqualTo(at(5.5));
        switchServers(false, 30.5);
        plan(31);

        assertThat(inForce.pausedFrom()).isNull();
        assertOwed(1, 5);
        assertNotOwed(6, 30);
        assertOwed(31, 40);
    }

    /** Nothing is owed that came due in any of them, and all that came due in none. */
    @Test
    void whateverIsPausedWhenEverAnybodyPlans() {
        for (long seed = 0; seed < 3_000; seed++) {
            PausePlannerTest history = new PausePlannerTest();
            history.live(new Random(seed), seed);
        }
    }

    private void live(Random random, long seed) {
        boolean[] paused = new boolean[60];
        Pause[] lasting = new Pause[2];
        boolean disabled = false;
        for (int second = 1; second < 60; second++) {
            if (random.nextInt(4) == 0) {
                int which = second > 52 ? endOf(lasting, disabled) : random.nextInt(3);
                double now = second - 0.5;
                if (which == 2) {
                    disabled = !disabled;
                    switchServers(disabled, now);
                    plan(now + 0.1);
                } else if (which >= 0) {
                    Pause open = lasting[which];
                    pauses.remove(open);
                    lasting[which] = open == null ? new Pause(at(now), null) : null;
                    pauses.add(open == null ? lasting[which] : new Pause(open.from(), at(now)));
                    if (random.nextBoolean()) {
                        plan(now + 0.1);
                    }
                }
            }
            paused[second] = lasting[0] != null || lasting[1] != null || disabled;
        }
        while (endOf(lasting, disabled) >= 0) {
            int which = endOf(lasting, disabled);
            if (which == 2) {
                disabled = false;
                switchServers(false, 59.5);
            } else {
                pauses.remove(lasting[which]);
                pauses.add(new Pause(lasting[which].from(), at(59.5)));
                lasting[which] = null;
            }
        }
        plan(59.6);
        assertThat(isBehind()).as("seed %d", seed).isFalse();
        assertThat(inForce.owners()).as("seed %d", seed).isNotEmpty();
        for (int second = 1; second < 60; second++) {
            assertThat(inForce.owes(at(second)))
                    .as("seed %d: whether the firing at second %d is owed; %s", seed, second, pauses)
                    .isEqualTo(!paused[second]);
        }
    }

    /** Something that is still paused; -1 if nothing is. */
    private static int endOf(Pause[] lasting, boolean disabled) {
        return lasting[0] != null ? 0 : lasting[1] != null ? 1 : disabled ? 2 : -1;
    }

    // ------------------------------------------------------------------ what a leader does

    private void plan(double second) {
        PausePlanner planner = PausePlanner.of(inForce, planned, basis(), at(second));
        inForce = planner.applied(inForce)
                .withOwners(basis().allowsOwners() ? owners(3, US) : new TreeMap<>(), basis().digest());
        planned = at(second);
    }

    private boolean isBehind() {
        return ShardingPlanner.isOutOfDate(Optional.of(inForce), basis());
    }

    private PlanBasis basis() {
        Members members = new Members(
                List.of(Samples.member(US, "10.0.0.1", 10), Samples.member(THEM, "10.0.0.2", 11)),
                servers,
                Set.of(),
                START);
        return new PlanBasis(members, JOB, new TreeSet<>(), pauses);
    }

    private void switchServers(boolean disabled, double second) {
        servers.replaceAll((ip, before) -> server(disabled, second));
    }

    private static Members.Server server(boolean disabled, double second) {
        return new Members.Server(disabled, at(second));
    }

    private void assertOwed(int from, int until) {
        for (int second = from; second <= until; second++) {
            assertThat(inForce.owes(at(second))).as("second %d", second).isTrue();
        }
    }

    private void assertNotOwed(int from, int until) {
        for (int second = from; second <= until; second++) {
            assertThat(inForce.owes(at(second))).as("second %d", second).isFalse();
        }
    }

    private static Instant at(double second) {
        return START.plusMillis(Math.round(second * 1_000));
    }
}
