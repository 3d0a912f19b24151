package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent.FiringsFolded;
import dev.elasticjob.job.event.JobEvent.FiringsLost;
import dev.elasticjob.registry.RegistryCommit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** What is owed when operators change a job's schedule, or pause it. */
class ScheduleChangeTest {
    private static final Instant START = Instant.parse("2026-03-01T07:59:30Z");
    private static final Instant EIGHT = Instant.parse("2026-03-01T08:00:00Z");
    private static final String SERVER = OneEngine.TREE.server("10.0.0.1");
    private static final String HOURLY = "0 0 * * * ?";
    private static final String DAILY = "0 0 3 * * ?";

    private final List<Instant> begun = new ArrayList<>();
    private final Queue<Runnable> inItem = new ArrayDeque<>();
    private OneEngine one;

    @Test
    void aFiringThatWaitsBehindItsOwnRunIsRunThoughTheCronIsChanged() {
        start(job(HOURLY).build());
        inItem.add(() -> {
            one.pass(Duration.ofMinutes(70));
            one.configure(job(DAILY).build());
            one.pass(Duration.ofMinutes(5));
        });

        one.passRunning(Duration.ofMinutes(80));

        assertThat(begun).containsExactly(EIGHT, EIGHT.plusSeconds(3600));
    }

    @Test
    void severalOfThemAreFoldedIntoTheLatest() {
        start(job(HOURLY).build());
        inItem.add(() -> {
            one.pass(Duration.ofMinutes(130));
            one.configure(job(DAILY).build());
            one.pass(Duration.ofMinutes(5));
        });

        one.passRunning(Duration.ofMinutes(140));

        assertThat(begun).containsExactly(EIGHT, EIGHT.plusSeconds(7200));
        assertThat(one.events)
                .filteredOn(FiringsFolded.class::isInstance)
                .singleElement()
                .satisfies(event -> assertThat(((FiringsFolded) event).count()).isEqualTo(1));
    }

    @Test
    void withMisfireOffItIsToldAsLostWithTheNextFiring() {
        start(job(HOURLY).misfire(false).build());
        inItem.add(() -> {
            one.pass(Duration.ofMinutes(70));
            one.configure(job(DAILY).misfire(false).build());
            one.pass(Duration.ofMinutes(5));
        });

        one.passRunning(Duration.ofHours(20));

        Instant threeOClock = Instant.parse("2026-03-02T03:00:00Z");
        assertThat(begun).containsExactly(EIGHT, threeOClock);
        assertThat(one.events)
                .filteredOn(FiringsLost.class::isInstance)
                .containsExactly(new FiringsLost("orders", 0, EIGHT.plus(Duration.ofHours(1)), threeOClock, 1));
    }

    @Test
    void itIsRunAfterAPauseToo() {
        start(job(HOURLY).build());
        inItem.add(() -> {
            one.pass(Duration.ofMinutes(70));
            serverSays("DISABLED");
            one.pass(Duration.ofMinutes(5));
        });
        one.passRunning(Duration.ofMinutes(170));
        assertThat(begun).containsExactly(EIGHT);

        serverSays("ENABLED");
        one.passRunning(Duration.ofMinutes(1));

        assertThat(begun).containsExactly(EIGHT, EIGHT.plusSeconds(3600));
    }

    @Test
    void whatTheNewCronWouldHaveHadBeforeTheChangeIsNotRun() {
        start(job(DAILY).build());
        one.passRunning(Duration.ofMinutes(50));

        one.configure(job(HOURLY).build());
        one.passRunning(Duration.ofMinutes(5));

        assertThat(begun).isEmpty();
    }

    /** What nothing is owed under is not kept. */
    @Test
    void anAssignmentRemembersNoScheduleForItsOwnSake() {
        start(job(HOURLY).build());
        one.passRunning(Duration.ofMinutes(50));

        one.configure(job(DAILY).build());
        one.passRunning(Duration.ofMinutes(5));

        assertThat(one.read(OneEngine.TREE.sharding()).orElseThrow().text()).doesNotContain("former");
    }

    private void start(JobDefinition definition) {
        one = new OneEngine(START, definition, context -> {
                    begun.add(context.getScheduledTime());
                    if (!inItem.isEmpty()) {
                        inItem.remove().run();
                    }
                })
                .started();
    }

    private void serverSays(String state) {
        one.operate(RegistryCommit.builder().set(SERVER, state, RegistryCommit.ANY_VERSION));
        one.settle();
    }

    private static JobDefinition.Builder job(String cron) {
        return JobDefinition.builder("orders")
                .cron(cron)
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(1);
    }
}
