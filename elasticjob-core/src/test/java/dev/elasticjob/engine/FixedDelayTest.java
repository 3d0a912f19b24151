package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobReport;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.BackfillRequest;
import dev.elasticjob.admin.command.CancelRequest;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.schedule.ScheduleKind;
import dev.elasticjob.engine.SimulatedCluster.Execution;
import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job of three items that runs again 30 s after the end of its last firing. */
class FixedDelayTest {
    private static final JobTree TREE = new JobTree("orders");
    private static final Duration DELAY = Duration.ofSeconds(30);
    private static final JobDefinition ORDERS = job().build();

    private SimulatedCluster cluster = new SimulatedCluster(5);
    private final Instant start = cluster.now();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void runsAtOnceAndAgainAfterTheDelayEachTimeOnAllItems(long seed) {
        cluster = new SimulatedCluster(seed);
        Stream.of("a@-@1", "b@-@1", "c@-@1").forEach(this::start);
        cluster.pass(Duration.ofSeconds(100));

        List<Instant> firings = firings();
        assertThat(firings).hasSize(4);
        assertThat(Duration.between(start, firings.get(0))).isLessThan(Duration.ofSeconds(2));
        for (int next = 1; next < 4; next++) {
            assertThat(Duration.between(firings.get(next - 1), firings.get(next)))
                    .isBetween(DELAY, DELAY.plusSeconds(1));
        }
        assertThat(cluster.executions()).hasSize(3 * 4).allSatisfy(one -> {
            assertThat(one.runId()).isEqualTo("orders@" + one.scheduledAt());
            assertThat(one.attempt()).isEqualTo(1);
        });
    }

    @Test
    void countsFromTheEndOfTheLastItem() {
        cluster.holdItems();
        start("a@-@1");
        cluster.pass(Duration.ofSeconds(200));
        assertThat(cluster.executions()).isEmpty();
        Instant end = cluster.now();
        cluster.letItemsBegin();
        cluster.pass(Duration.ofSeconds(29));
        assertThat(firings()).hasSize(1);
        cluster.pass(Duration.ofSeconds(3));

        assertThat(firings()).hasSize(2);
        assertThat(firings().get(1)).isAfterOrEqualTo(end.plus(DELAY));
    }

    @Test
    void aRestartOfAllInstancesChangesNothing() {
        start("a@-@1");
        start("b@-@1");
        cluster.pass(Duration.ofSeconds(10));
        cluster.stop("a@-@1");
        cluster.stop("b@-@1");
        cluster.pass(Duration.ofSeconds(10));
        start("c@-@1");
        cluster.pass(Duration.ofSeconds(5));
        assertThat(firings()).hasSize(1);
        cluster.pass(Duration.ofSeconds(15));

        assertThat(firings()).hasSize(2);
        assertThat(Duration.between(firings().get(0), firings().get(1))).isBetween(DELAY, DELAY.plusSeconds(1));
    }

    @Test
    void runsOnceAtOnceWhenAllInstancesWereDownForANight() {
        start("a@-@1");
        cluster.pass(Duration.ofSeconds(10));
        Instant due = firings().get(0).plus(DELAY);
        cluster.stop("a@-@1");
        cluster.pass(Duration.ofHours(9));
        start("b@-@1");
        cluster.pass(Duration.ofSeconds(20));

        assertThat(firings()).hasSize(2);
        assertThat(firings().get(1)).isBetween(due, due.plusSeconds(1));
        assertThat(cluster.events()).noneMatch(JobEvent.FiringsLost.class::isInstance);
    }

    @Test
    void aPausedJobRunsWhenThePauseIsOver() {
        start("a@-@1");
        cluster.pass(Duration.ofSeconds(10));
        cluster.get(admin().pause("orders"));
        cluster.pass(Duration.ofMinutes(10));
        assertThat(firings()).hasSize(1);
        Instant resumed = cluster.now();
        cluster.get(admin().resume("orders"));
        cluster.pass(Duration.ofSeconds(5));

        assertThat(firings()).hasSize(2);
        assertThat(firings().get(1)).isBetween(resumed, resumed.plusSeconds(1));
    }

    @Test
    void aShorterDelayCountsFromTheLastEnd() {
        start("a@-@1");
        cluster.pass(Duration.ofSeconds(10));
        redefine(Map.of("fixedDelay", "15s"));
        cluster.pass(Duration.ofSeconds(7));

        assertThat(firings()).hasSize(2);
        assertThat(Duration.between(firings().get(0), firings().get(1)))
                .isBetween(Duration.ofSeconds(15), Duration.ofSeconds(16));
    }

    @Test
    void anOperatorMakesACronADelayWhileItRunsAndBack() {
        cluster.start(
                "a@-@1", job().fixedDelay(Duration.ZERO).cron("0/20 * * * * ?").build());
        cluster.start(
                "b@-@1", job().fixedDelay(Duration.ZERO).cron("0/20 * * * * ?").build());
        cluster.pass(Duration.ofSeconds(50));
        cluster.forget();
        redefine(Map.of("cron", "", "fixedDelay", "30s"));
        cluster.pass(Duration.ofSeconds(50));
        assertThat(firings()).hasSize(2);
        assertThat(Duration.between(firings().get(0), firings().get(1))).isBetween(DELAY, DELAY.plusSeconds(1));
        assertThat(cluster.read(TREE.config())).isEmpty();
        cluster.forget();
        redefine(Map.of("cron", "0/20 * * * * ?", "fixedDelay", "0"));
        cluster.pass(Duration.ofSeconds(50));

        assertThat(firings())
                .hasSizeBetween(2, 3)
                .allSatisfy(firing -> assertThat(firing.getEpochSecond() % 20).isZero());
        assertThat(cluster.executions()).hasSize(3 * firings().size());
    }

    @Test
    void beginsAtStartAtAndIsOverAfterEndAt() {
        Instant begin = Instant.ofEpochSecond(start.getEpochSecond() + 60);
        cluster.start("a@-@1", job().startAt(begin).endAt(begin.plusSeconds(70)).build());
        cluster.pass(Duration.ofMinutes(10));

        assertThat(firings()).hasSize(3).first().isEqualTo(begin);
        assertThat(cluster.get(cluster.inspector().job("orders")).orElseThrow().nextDueTime())
                .isEmpty();
    }

    @Test
    void anInterruptedItemIsRepeatedElsewhereBeforeTheNextFiring() {
        cluster.holdItems();
        cluster.start("a@-@1", job().failover(true).build());
        cluster.pass(Duration.ofSeconds(5));
        cluster.expire("a@-@1");
        cluster.start("b@-@1", job().failover(true).build());
        cluster.pass(Duration.ofSeconds(60));
        assertThat(cluster.executions()).isEmpty();
        cluster.letItemsBegin();
        cluster.pass(Duration.ofSeconds(40));

        assertThat(firings()).hasSize(2);
    }

    @Test
    void anOperatorsRunNeitherCountsNorShifts() {
        start("a@-@1");
        cluster.pass(Duration.ofSeconds(15));
        Instant due = firings().get(0).plus(DELAY);
        cluster.get(admin().trigger("orders", "mine"));
        cluster.pass(Duration.ofSeconds(20));

        assertThat(cluster.executions())
                .filteredOn(one -> one.runId().equals("mine"))
                .hasSize(3);
        assertThat(delayed())
                .hasSize(2)
                .last()
                .satisfies(next -> assertThat(next).isBetween(due, due.plusSeconds(1)));
    }

    @Test
    void aFiringIsCancelledByItsRunIdAndTheNextOneFollows() {
        cluster.holdItems();
        start("a@-@1");
        cluster.pass(Duration.ofSeconds(5));
        String runId = "orders@" + scheduledAt();
        cluster.get(admin().cancel("orders", CancelRequest.run(runId)));
        cluster.pass(Duration.ofSeconds(5));
        cluster.letItemsBegin();
        cluster.pass(Duration.ofSeconds(40));

        assertThat(firings())
                .hasSize(1)
                .allSatisfy(firing -> assertThat("orders@" + firing).isNotEqualTo(runId));
        assertThat(cluster.events())
                .filteredOn(JobEvent.ItemFinished.class::isInstance)
                .extracting(event -> ((JobEvent.ItemFinished) event).outcome())
                .contains(ExecutionOutcome.COMPLETED);
    }

    @Test
    void aJobWithoutEnabledItemsDoesNotSpin() {
        start("a@-@1");
        cluster.pass(Duration.ofSeconds(5));
        for (int item = 0; item < 3; item++) {
            cluster.commit(RegistryCommit.builder().create(TREE.disabled(item), ""));
        }
        cluster.pass(Duration.ofSeconds(300));

        assertThat(firings()).hasSize(1);
        assertThat(cluster.read(TREE.delay()).orElseThrow().text()).contains("\"number\":11");
    }

    @Test
    void anEndThatIsAheadIsCorrected() {
        start("a@-@1");
        cluster.pass(Duration.ofSeconds(5));
        RegistryNode node = cluster.read(TREE.delay()).orElseThrow();
        String ahead = node.text().replaceFirst("\"ended\":\"[^\"]*\"", "\"ended\":\"2031-01-01T00:00:00Z\"");
        cluster.commit(RegistryCommit.builder().set(TREE.delay(), ahead, node.version()));
        cluster.commit(RegistryCommit.builder().create(TREE.necessary(), ""));
        cluster.pass(Duration.ofMinutes(3));

        assertThat(cluster.events())
                .filteredOn(JobEvent.TimeCorrected.class::isInstance)
                .extracting(event -> ((JobEvent.TimeCorrected) event).node())
                .containsExactly(TREE.delay());
        assertThat(firings()).hasSizeBetween(3, 5);
    }

    @Test
    void aNodeThatCannotBeReadHoldsTheJobUntilItIsEmptied() {
        start("a@-@1");
        cluster.pass(Duration.ofSeconds(5));
        cluster.commit(RegistryCommit.builder().set(TREE.delay(), "{\"number\":\"one\"}", RegistryCommit.ANY_VERSION));
        cluster.pass(Duration.ofMinutes(3));
        assertThat(firings()).hasSize(1);
        cluster.commit(RegistryCommit.builder().set(TREE.delay(), "", RegistryCommit.ANY_VERSION));
        cluster.pass(Duration.ofMinutes(1));

        assertThat(firings()).hasSizeBetween(2, 3);
    }

    @Test
    void isNoCronExpression() {
        start("a@-@1");
        cluster.pass(Duration.ofSeconds(5));

        JobReport.ScheduleReport schedule = report().schedule().orElseThrow();
        assertThat(schedule.kind()).isEqualTo(ScheduleKind.FIXED_DELAY);
        assertThat(schedule.text()).isEqualTo("fixedDelay PT30S");
        assertThat(schedule.cron()).isEmpty();
    }

    @Test
    void beforeItsFirstFiringItSaysNothingOfALastEnd() {
        Instant begin = cluster.now().plusSeconds(60).truncatedTo(ChronoUnit.SECONDS);
        cluster.start("a@-@1", job().startAt(begin).build());
        cluster.pass(Duration.ofSeconds(5));

        assertThat(explain(0))
                .contains("has not run by its delay of 30 s yet. Its first firing is due at " + begin)
                .doesNotContain("last end");
        assertThat(report().items())
                .hasSize(3)
                .allSatisfy(item -> assertThat(item.itemRecord().scheduledAt()).isEmpty());
    }

    @Test
    void aNumberWithoutAUnitIsRefusedInTheWordsOfProperties() {
        start("a@-@1");
        cluster.pass(Duration.ofSeconds(5));

        assertThatThrownBy(() -> redefine(Map.of("fixedDelay", 5)))
                .hasMessageContaining("expected a duration with a unit: 5 what? Write 5s or 5m");
        assertThatThrownBy(() -> redefine(Map.of("fixedDelay", "soon")))
                .hasMessageContaining("expected a duration such as 60s or PT60S");
    }

    @Test
    void hasNoPastTimesToRunOnceMore() {
        start("a@-@1");
        cluster.pass(Duration.ofMinutes(2));

        assertThatThrownBy(() -> cluster.get(
                        admin().backfill("orders", BackfillRequest.of(start.minusSeconds(60), cluster.now()))))
                .hasMessageContainingAll(
                        "no scheduled time to run once more, because with fixedDelay",
                        "follows from the end of the one before",
                        "Trigger the job instead");
    }

    @Test
    void explainsForWhichItemsTheNextFiringWaits() {
        start("a@-@1");
        cluster.pass(Duration.ofSeconds(5));
        assertThat(explain(0))
                .contains("runs 30 s after its last end, and is not due before "
                        + report().nextDueTime().orElseThrow());
        cluster.holdItems();
        cluster.pass(Duration.ofSeconds(40));
        cluster.commit(RegistryCommit.builder().create(TREE.disabled(1), ""));

        assertThat(report().nextDueTime()).isEmpty();
        assertThat(explain(1)).contains("has not ended: it waits for items 0-2", "orders@" + scheduledAt());
    }

    @Test
    void aFiringThatNoItemBeginsInTimeIsOverdue() {
        start("a@-@1");
        cluster.pass(Duration.ofSeconds(5));
        redefine(Map.of("expectWithin", "10s"));
        cluster.pass(Duration.ofSeconds(5));
        cluster.commit(RegistryCommit.builder().create(TREE.running(0), "x"));
        cluster.commit(RegistryCommit.builder().create(TREE.running(1), "x"));
        cluster.commit(RegistryCommit.builder().create(TREE.running(2), "x"));
        cluster.pass(Duration.ofSeconds(60));

        assertThat(cluster.events())
                .filteredOn(JobEvent.FiringOverdue.class::isInstance)
                .extracting(event -> ((JobEvent.FiringOverdue) event).scheduledAt())
                .containsExactly(scheduledAt());
        assertThat(report().overdue()).hasValue(scheduledAt());
    }

    private String explain(int item) {
        return cluster.get(cluster.inspector().explain("orders", item)).orElseThrow().conditions().stream()
                .map(condition -> condition.fact().text())
                .collect(Collectors.joining(". "));
    }

    private JobReport report() {
        return cluster.get(cluster.inspector().job("orders")).orElseThrow();
    }

    private void start(String instance) {
        cluster.start(instance, ORDERS);
    }

    private JobAdmin admin() {
        return new RegistryJobAdmin(cluster.operator());
    }

    private void redefine(Map<String, Object> changes) {
        JobAdmin admin = admin();
        String version = cluster.get(admin.versionedDefinition("orders")).version();
        cluster.get(admin.redefine("orders", version, changes));
    }

    /** The scheduled times of all executions, each once, oldest first. */
    private List<Instant> firings() {
        return cluster.executions().stream()
                .map(Execution::scheduledAt)
                .distinct()
                .sorted()
                .toList();
    }

    private List<Instant> delayed() {
        return cluster.executions().stream()
                .filter(one -> one.runId().contains("@"))
                .map(Execution::scheduledAt)
                .distinct()
                .sorted()
                .toList();
    }

    /** Of the firing that was asked for last. */
    private Instant scheduledAt() {
        String text = cluster.read(TREE.delay()).map(RegistryNode::text).orElseThrow();
        int at = text.indexOf("\"at\":\"") + 6;
        return Optional.of(text.substring(at, text.indexOf('"', at)))
                .map(Instant::parse)
                .orElseThrow();
    }

    private static JobDefinition.Builder job() {
        return JobDefinition.builder("orders")
                .fixedDelay(DELAY)
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(3);
    }
}
