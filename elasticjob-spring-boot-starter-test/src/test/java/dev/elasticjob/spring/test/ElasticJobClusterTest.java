package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Three instances without Spring. */
class ElasticJobClusterTest {
    private static final JobDefinition BILLING = JobDefinition.builder("billing")
            .cron("0 0 3 * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(6)
            .failover(true)
            .build();
    private static final JobDefinition WITHOUT_FAILOVER = JobDefinition.builder("reports")
            .cron("0 0 4 * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(3)
            .build();

    /** What an execution does; a test replaces it. */
    private final AtomicReference<SimpleJob> work = new AtomicReference<>(context -> {});

    @RegisterExtension
    final ElasticJobCluster cluster = ElasticJobCluster.of("a", "b", "c")
            .job(BILLING, context -> work.get().execute(context))
            .job(WITHOUT_FAILOVER, context -> work.get().execute(context))
            .build();

    @Test
    void aFiringRunsEveryItemOnceOnTheInstanceThatOwnsIt() {
        Firing firing = cluster.jobs().fire("billing");

        assertThat(firing).succeeded();
        assertThat(firing.items()).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(cluster).everyItemOf("billing").ranOnce();
        assertThat(cluster).itemOf("billing", 2).ranOn("b");
        assertThat(cluster).everyItemOf("reports").neverRan();
    }

    @Test
    void aFailureIsTheOutcomeOfItsItemOnly() {
        work.set(context -> {
            if (context.getShardingItem() == 1) {
                throw new IllegalStateException("provoked by this test");
            }
        });

        Firing firing = cluster.jobs().fire("billing");

        assertThat(firing).failedWith(IllegalStateException.class);
        assertThat(firing).item(1).failedWith(IllegalStateException.class);
        assertThat(firing).item(0).succeeded();
        assertThat(firing.executions().stream()
                        .filter(run -> run.item() == 1)
                        .findFirst()
                        .flatMap(Execution::failure)
                        .map(Throwable::getMessage))
                .contains("provoked by this test");
    }

    // ------------------------------------------------------------------ instances

    @Test
    void itemsOfAKilledInstanceGoToTheOthers() {
        cluster.kill("b");

        assertThat(cluster.jobs().fire("billing")).succeeded();
        assertThat(cluster).everyItemOf("billing").ranOnce();
        assertThat(cluster.executions()).extracting(Execution::instance).containsOnly("a", "c");
    }

    @Test
    void whatAKilledInstanceWasDoingRunsAgainElsewhere() {
        work.set(context -> killInTheMiddleOf(2, context));

        Firing firing = cluster.jobs().fire("billing");

        assertThat(firing).succeeded();
        assertThat(firing).item(2).wasInterruptedOn("b");
        assertThat(cluster).everyItemOf("billing").ranOnce();
        assertThat(firing.executions())
                .filteredOn(run -> run.item() == 2)
                .extracting(Execution::attempt)
                .containsExactly(1, 2);
        assertThat(cluster.instances()).containsExactly("a", "c");
    }

    @Test
    void withoutFailoverWhatAKilledInstanceWasDoingIsNotRepeated() {
        work.set(context -> killInTheMiddleOf(1, context));

        Firing firing = cluster.jobs().fire("reports");

        assertThat(firing).item(1).wasInterruptedOn("b");
        assertThat(firing).item(1).neverRan();
        assertThat(firing).item(0).ranOnce();
    }

    @Test
    void theLeaderCanBeKilledToo() {
        cluster.kill("a");
        cluster.kill("b");

        assertThat(cluster.jobs().fire("billing")).everyItem().ranOn("c");
    }

    @Test
    void whoStartsAndWhoStopsTakesAndGivesUpItsShare() {
        cluster.start("d");
        cluster.stop("a");

        cluster.jobs().fire("billing");

        assertThat(cluster.instances()).containsExactly("b", "c", "d");
        assertThat(cluster.executions()).extracting(Execution::instance).containsOnly("b", "c", "d");
        assertThat(cluster).everyItemOf("billing").ranOnce();
    }

    @Test
    void aKilledInstanceCanComeBack() {
        cluster.kill("b");
        cluster.start("b");

        cluster.jobs().fire("billing");

        assertThat(cluster).itemOf("billing", 2).ranOn("b");
    }

    // ------------------------------------------------------------------ time

    @Test
    void nothingFiresWhileTimeStandsStill() {
        assertThat(cluster.jobs().clock().instant()).isEqualTo(ElasticJobTest.START_TIME);
        assertThat(cluster.executions()).isEmpty();
    }

    @Test
    void aNightPassesAtOnce() {
        cluster.jobs().advance(Duration.ofHours(24));

        assertThat(cluster).everyItemOf("billing").ranOnce();
        assertThat(cluster).everyItemOf("reports").ranOnce();
        assertThat(cluster.executions())
                .filteredOn(run -> run.jobName().equals("billing"))
                .extracting(Execution::scheduledAt)
                .containsOnly(Instant.parse("2026-01-01T03:00:00Z"));
    }

    @Test
    void theNextFiringByTheScheduleIsForItsMoment() {
        Firing first = cluster.jobs().fireOnSchedule("billing");
        Firing second = cluster.jobs().fireOnSchedule("billing");

        assertThat(first).succeeded();
        assertThat(second).everyItem().ranOnce();
        assertThat(second.executions())
                .extracting(Execution::scheduledAt)
                .containsOnly(Instant.parse("2026-01-02T03:00:00Z"));
        assertThat(cluster).everyItemOf("billing").ranTimes(2);
    }

    @Test
    void aManualRunOnTheVerySecondOfAFiringIsToldFromIt() {
        Firing scheduled = cluster.jobs().fireOnSchedule("billing");

        Firing asked = cluster.jobs().fire("billing");

        Instant second = scheduled.executions().get(0).scheduledAt();
        assertThat(asked).everyItem().ranOnce();
        assertThat(asked.executions())
                .allSatisfy(run -> assertThat(run.scheduledAt()).isEqualTo(second))
                .extracting(Execution::runId)
                .doesNotContain("billing@" + second)
                .containsOnly(asked.executions().get(0).runId());
        assertThat(scheduled.executions()).extracting(Execution::runId).containsOnly("billing@" + second);
        assertThat(cluster).everyItemOf("billing").ranTimes(2);
    }

    @Test
    void disabledItemsAreNotWaitedFor() {
        cluster.jobs().admin().disableItem("billing", 4).toCompletableFuture().join();

        assertThat(cluster.jobs().fire("billing").items()).doesNotContain(4);
        assertThat(cluster.jobs().fireOnSchedule("billing").items()).containsExactly(0, 1, 2, 3, 5);
        assertThat(cluster).itemOf("billing", 4).neverRan();
    }

    // ------------------------------------------------------------------ mistakes

    @Test
    void anUnknownJobIsNamed() {
        assertThatThrownBy(() -> cluster.jobs().fire("bilings"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bilings");
    }

    @Test
    void anUnknownInstanceIsNamedWithThoseThatThereAre() {
        assertThatThrownBy(() -> cluster.kill("x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("There is no instance \"x\" that could be killed; the instances are [a, b, c]");
        assertThatThrownBy(() -> cluster.start("a")).hasMessage("Instance \"a\" already exists: [a, b, c]");
    }

    @Test
    void aJobThatFiresAnotherIsToldThatItCanNotWait() {
        work.set(context -> {
            if (context.getJobName().equals("billing")) {
                cluster.jobs().fire("reports");
            }
        });

        Firing firing = cluster.jobs().fire("billing");

        assertThat(firing).everyItem().failedWith(IllegalStateException.class);
        assertThat(firing.executions()
                        .get(0)
                        .failure()
                        .map(Throwable::getMessage)
                        .orElseThrow())
                .contains("Only the test's thread may");
    }

    @Test
    void outsideOfATestThereIsNoCluster() {
        ElasticJobCluster unused = ElasticJobCluster.of("a").build();

        assertThatThrownBy(unused::jobs).hasMessageContaining("@RegisterExtension");
    }

    /** The instance that owns both of these items is "b". */
    private void killInTheMiddleOf(int item, ShardingContext context) {
        if (context.getShardingItem() == item && context.getAttempt() == 1) {
            cluster.kill("b");
        }
    }
}
