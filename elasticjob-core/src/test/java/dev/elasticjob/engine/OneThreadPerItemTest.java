package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.registry.RegistryNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Whatever the tree says, no item begins in a process while a thread of that process executes it. The job fires once a
 * minute; its first execution lasts for as long as the test lets something happen in it.
 */
class OneThreadPerItemTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Instant BEFORE = NOON.minusSeconds(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration A_WHILE = Duration.ofSeconds(150);
    private static final JobDefinition MONITORED = JobDefinition.builder("orders")
            .cron("0 * * * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(1)
            .build();
    private static final JobDefinition UNMONITORED =
            MONITORED.toBuilder().monitorExecution(false).build();

    private final List<String> course = new ArrayList<>();
    private OneEngine one;

    @Test
    void switchingMonitoringOffBeginsNoItemThatStillRuns() {
        during(MONITORED, () -> {
            one.configure(UNMONITORED);
            one.pass(A_WHILE);
            one.runItems();
        });

        assertThat(course).containsExactly("12:00 begins", "12:00 returns", "12:02 begins", "12:02 returns");
    }

    @Test
    void switchingMonitoringOnBeginsNoItemThatStillRuns() {
        during(UNMONITORED, () -> {
            one.configure(MONITORED);
            one.pass(A_WHILE);
            one.runItems();
        });

        assertThat(course).containsExactly("12:00 begins", "12:00 returns", "12:02 begins", "12:02 returns");
    }

    @Test
    void aManualRunWaitsForTheExecutionThatWasClaimedBeforeTheSwitch() {
        during(MONITORED, () -> {
            one.configure(UNMONITORED);
            one.pass(SECOND);
            one.engine.admin().trigger("orders", "r1");
            one.pass(SECOND);
            one.runItems();
        });

        assertThat(course).containsExactly("12:00 begins", "12:00 returns", "r1 begins", "r1 returns");
        assertThat(one.read(TREE.trigger(0))).isEmpty();
    }

    @Test
    void aFiringThatMeetsAManualRunBeginsAfterIt() {
        start(UNMONITORED, () -> {
            one.pass(SECOND);
            one.pass(SECOND);
            one.runItems();
        });

        one.engine.admin().trigger("orders", "r1");
        one.settle();
        one.runItems();
        one.pass(SECOND);
        one.runItems();

        assertThat(course).containsExactly("r1 begins", "r1 returns", "12:00 begins", "12:00 returns");
    }

    @Test
    void aManualRunThatIsClaimedWhileAFiringBeginsWaitsForIt() {
        for (int steps = 0; steps < 30; steps++) {
            course.clear();
            start(UNMONITORED, () -> {});
            one.engine.admin().trigger("orders", "r1");
            for (int step = 0; step < steps; step++) {
                one.runOne();
            }

            one.pass(SECOND);
            one.pass(SECOND);
            one.runItems();
            one.pass(SECOND);
            one.runItems();

            assertThat(course)
                    .as("%d steps before the firing", steps)
                    .containsExactlyInAnyOrder("r1 begins", "r1 returns", "12:00 begins", "12:00 returns");
            assertThat(one.read(TREE.trigger(0))).isEmpty();
            assertThat(one.read(TREE.running(0))).isEmpty();
        }
    }

    @Test
    void aNewRunOfTheEngineWaitsForTheThreadsOfTheOneBefore() {
        during(UNMONITORED, () -> {
            stopAndStart();
            one.pass(A_WHILE);
            one.runItems();
        });

        assertThat(course.subList(0, 2)).containsExactly("12:00 begins", "12:00 returns");
        assertThat(course).hasSize(4);
    }

    @Test
    void aNewRunOfTheEngineTakesNothingBackFromAThreadOfTheOneBefore() {
        during(MONITORED.toBuilder().failover(true).build(), () -> {
            stopAndStart();
            one.expireSession();
            one.pass(A_WHILE);
            one.runItems();
        });

        assertThat(course.subList(0, 2)).containsExactly("12:00 begins", "12:00 returns");
        assertThat(course).hasSize(4);
        assertThat(one.read(TREE.item(0)).map(RegistryNode::text).orElse("absent"))
                .contains("\"state\":\"COMPLETED\"");
        assertThat(one.read(TREE.running(0))).isEmpty();
    }

    /** Lets the first execution last while something happens in it, then all that waits for its end. */
    private void during(JobDefinition definition, Runnable meanwhile) {
        start(definition, meanwhile);
        one.pass(SECOND);
        one.runItems();
        one.pass(SECOND);
        one.runItems();
    }

    private void start(JobDefinition definition, Runnable meanwhile) {
        SimpleJob job = context -> {
            String firing = context.getTaskId().contains("r1")
                    ? "r1"
                    : context.getScheduledTime().toString().substring(11, 16);
            boolean first = course.isEmpty();
            course.add(firing + " begins");
            if (first) {
                meanwhile.run();
                Thread.interrupted();
            }
            course.add(firing + " returns");
        };
        one = new OneEngine(BEFORE, definition, job).started();
    }

    /** The thread that runs ignores its interruption. */
    private void stopAndStart() {
        one.engine.stop();
        one.pass(Duration.ofSeconds(60));
        one.engine.start();
        one.pass(SECOND);
    }
}
