package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.RegistryCommit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nobody is left for a while: what became due meanwhile is owed, unless operators had taken everybody out of service. */
class FullStopTest {
    private static final Instant START = Instant.parse("2026-03-01T08:02:30Z");
    private static final Instant MISSED = Instant.parse("2026-03-01T08:04:00Z");
    private static final String SERVER = OneEngine.TREE.server("10.0.0.1");

    private final List<Instant> begun = new ArrayList<>();
    private final Queue<Runnable> inItem = new ArrayDeque<>();
    private OneEngine one;

    @BeforeEach
    void start() {
        JobDefinition everyMinute = JobDefinition.builder("orders")
                .cron("0 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(1)
                .build();
        one = new OneEngine(START, everyMinute, context -> {
                    begun.add(context.getScheduledTime());
                    if (!inItem.isEmpty()) {
                        inItem.remove().run();
                    }
                })
                .started();
    }

    @Test
    void afterAStopInMidItemTheMissedFiringRuns() {
        stopInMidItem();

        awayUntilAfterTheMissedFiring();

        assertThat(begun).containsExactly(MISSED.minusSeconds(60), MISSED);
    }

    @Test
    void afterAStopAtRestTheMissedFiringRuns() {
        one.passRunning(Duration.ofSeconds(33));
        one.engine.stop();

        awayUntilAfterTheMissedFiring();

        assertThat(begun).containsExactly(MISSED.minusSeconds(60), MISSED);
    }

    /** Its plan has no owners either, and doesn't say why. */
    @Test
    void afterAVersionThatGaveNoReasonTheMissedFiringRuns() {
        serverSays("DISABLED");
        one.engine.stop();
        one.settle();
        String plan = one.read(OneEngine.TREE.sharding()).orElseThrow().text();
        assertThat(plan).contains("\"owners\":{}", "pausedFrom");
        one.operate(RegistryCommit.builder()
                .set(
                        OneEngine.TREE.sharding(),
                        plan.replaceAll("\"pausedFrom\":\"[^\"]*\",", ""),
                        RegistryCommit.ANY_VERSION));
        serverSays("ENABLED");

        awayUntilAfterTheMissedFiring();

        assertThat(begun).containsExactly(MISSED);
    }

    @Test
    void whatBecomesDueWhileTheServerIsDisabledIsNotMissed() {
        one.passRunning(Duration.ofSeconds(40));
        serverSays("DISABLED");
        one.passRunning(Duration.ofSeconds(60));
        serverSays("ENABLED");

        one.passRunning(Duration.ofSeconds(60));

        assertThat(begun).containsExactly(MISSED.minusSeconds(60), MISSED.plusSeconds(60));
    }

    @Test
    void whatBecomesDueOnceAServerIsEnabledIsMissedThoughNobodyIsThere() {
        serverSays("DISABLED");
        one.engine.stop();
        one.passRunning(Duration.ofSeconds(40));
        serverSays("ENABLED");

        awayUntilAfterTheMissedFiring();

        assertThat(begun).containsExactly(MISSED);
    }

    @Test
    void aServerThatIsDisabledAfterTheStopOwesWhatCameBefore() {
        stopInMidItem();
        one.pass(Duration.ofSeconds(65));
        serverSays("DISABLED");
        one.engine.start();
        one.passRunning(Duration.ofSeconds(120));
        serverSays("ENABLED");

        one.passRunning(Duration.ofSeconds(20));

        assertThat(begun).containsExactly(MISSED.minusSeconds(60), MISSED);
    }

    private void stopInMidItem() {
        inItem.add(() -> {
            one.engine.stop();
            one.pass(Duration.ofSeconds(3));
        });
        one.passRunning(Duration.ofSeconds(33));
    }

    private void awayUntilAfterTheMissedFiring() {
        Instant back = MISSED.plusSeconds(5);
        one.pass(Duration.between(one.time.instant(), back));
        one.engine.start();
        one.passRunning(Duration.ofSeconds(10));
    }

    private void serverSays(String state) {
        one.operate(RegistryCommit.builder().set(SERVER, state, RegistryCommit.ANY_VERSION));
        one.settle();
    }
}
