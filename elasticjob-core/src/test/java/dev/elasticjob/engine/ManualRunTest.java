package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.TriggerAnswer;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.SimulatedCluster.Execution;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The step "ask" and what follows from it: runs beside the schedule. */
class ManualRunTest {
    private static final JobTree TREE = new JobTree("orders");
    private static final String ONCE_A_YEAR = "0 0 0 1 1 ?";
    private static final String AT_SECOND_TEN = "10 * * * * ?";

    private final SimulatedCluster cluster = new SimulatedCluster(3);
    private final JobAdmin admin = new RegistryJobAdmin(cluster.operator());

    @Test
    void everyItemRunsOnceWhereverItIs() {
        start(definition(ONCE_A_YEAR, 5), "a@-@1", "b@-@1");

        TriggerAnswer answer = cluster.get(admin.trigger("orders", "r1"));
        settle();

        assertThat(answer.items()).containsExactly(0, 1, 2, 3, 4);
        assertThat(items()).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
        assertThat(cluster.executions()).extracting(Execution::instance).contains("a@-@1", "b@-@1");
        assertThat(cluster.executions())
                .allSatisfy(run -> assertThat(run.taskId()).contains("@-@r1@-@"));
        assertThat(cluster.executions()).extracting(Execution::runId).containsOnly("r1");
    }

    @Test
    void aRunIdIsTheSameForAllWhoTellOfTheRun() {
        start(definition(AT_SECOND_TEN, 4), "a@-@1", "b@-@1");

        cluster.pass(Duration.ofSeconds(10));

        String runId = "orders@2026-03-01T00:00:10Z";
        assertThat(cluster.executions())
                .hasSize(4)
                .allSatisfy(run -> assertThat(run.runId()).isEqualTo(runId));
        assertThat(cluster.executions()).extracting(Execution::instance).contains("a@-@1", "b@-@1");
        assertThat(cluster.events())
                .filteredOn(JobEvent.ItemStarted.class::isInstance)
                .hasSize(4)
                .allSatisfy(event ->
                        assertThat(((JobEvent.ItemStarted) event).runId()).isEqualTo(runId));
        assertThat(cluster.events())
                .filteredOn(JobEvent.ItemFinished.class::isInstance)
                .hasSize(4)
                .allSatisfy(event ->
                        assertThat(((JobEvent.ItemFinished) event).runId()).isEqualTo(runId));
        assertThat(cluster.get(cluster.engine("b@-@1").inspector().job("orders"))
                        .orElseThrow()
                        .items())
                .hasSize(4)
                .allSatisfy(item -> assertThat(item.itemRecord().runId()).contains(runId));
        assertThat(record(0)).as("a firing's is derived, not stored").doesNotContain("runId");
    }

    @Test
    void aManualRunLeavesTheScheduleAlone() {
        start(definition(AT_SECOND_TEN, 1), "a@-@1");
        Instant before = cluster.now();

        cluster.get(admin.trigger("orders", "r1"));
        settle();
        cluster.pass(Duration.ofSeconds(10));

        assertThat(cluster.executions().get(0).scheduledAt()).isAfterOrEqualTo(before);
        assertThat(cluster.executions().get(1).scheduledAt()).isEqualTo(Instant.parse("2026-03-01T00:00:10Z"));
        assertThat(cluster.executions()).hasSize(2);
        assertThat(record(0)).doesNotContain("runId").contains("2026-03-01T00:00:10Z");
    }

    @Test
    void aRepetitionAsksForNothingNew() {
        start(definition(ONCE_A_YEAR, 2), "a@-@1");
        cluster.get(admin.trigger("orders", "r1"));
        settle();

        TriggerAnswer again = cluster.get(admin.trigger("orders", "r1"));
        settle();

        assertThat(again.items()).containsExactly(0, 1);
        assertThat(items()).containsExactlyInAnyOrder(0, 1);
    }

    @Test
    void theBellRemembersTheLastSixteenRuns() {
        start(definition(ONCE_A_YEAR, 1), "a@-@1");

        for (int i = 1; i <= 18; i++) {
            cluster.get(admin.trigger("orders", "r" + i));
        }

        assertThat(cluster.read(TREE.triggers()).orElseThrow().text())
                .doesNotContain("\"r2\"")
                .startsWith("[\"r3\"")
                .endsWith("\"r18\"]");
    }

    @Test
    void requestsBeforeTheClaimAreAnsweredByOneExecution() {
        start(definition(ONCE_A_YEAR, 1), "a@-@1");
        cluster.holdItems();
        cluster.get(admin.trigger("orders", "first"));
        settle();
        cluster.get(admin.trigger("orders", "second"));
        cluster.get(admin.trigger("orders", "third"));
        settle();

        cluster.letItemsBegin();
        settle();

        assertThat(cluster.executions())
                .extracting(Execution::taskId)
                .satisfiesExactly(
                        task -> assertThat(task).contains("@-@first@-@"),
                        task -> assertThat(task).contains("@-@second,third@-@"));
    }

    @Test
    void aManualRunGoesBehindADueFiring() {
        start(definition(AT_SECOND_TEN, 1), "a@-@1");
        cluster.holdItems();
        cluster.pass(Duration.ofSeconds(10));
        cluster.get(admin.trigger("orders", "r1"));
        settle();

        cluster.letItemsBegin();
        settle();

        assertThat(cluster.executions())
                .extracting(Execution::taskId)
                .satisfiesExactly(
                        task -> assertThat(task).contains("2026-03-01T00:00:10Z"),
                        task -> assertThat(task).contains("@-@r1@-@"));
    }

    @Test
    void aFiringThatComesDuringAManualRunFollowsIt() {
        start(definition(AT_SECOND_TEN, 1), "a@-@1");
        cluster.holdItems();
        cluster.get(admin.trigger("orders", "r1"));
        cluster.pass(Duration.ofSeconds(12));

        cluster.letItemsBegin();
        settle();

        assertThat(cluster.executions())
                .extracting(Execution::taskId)
                .satisfiesExactly(
                        task -> assertThat(task).contains("@-@r1@-@"),
                        task -> assertThat(task).contains("2026-03-01T00:00:10Z"));
    }

    @Test
    void aFiringThatCameBeforeAManualRunIsTakenOverFollowsIt() {
        JobDefinition definition =
                definition(AT_SECOND_TEN, 1).toBuilder().failover(true).build();
        start(definition, "a@-@1");
        cluster.stop("a@-@1");
        cluster.pass(Duration.ofSeconds(1));
        cluster.commit(RegistryCommit.builder()
                .set(TREE.item(0), """
                        {"scheduledAt":"2026-03-01T00:00:00Z","state":"INTERRUPTED","instance":"a@-@1","runId":"r1",\
                        "attempt":1,"crashes":1,"startedAt":"2026-03-01T00:00:01Z","finishedAt":"2026-03-01T00:00:02Z"}""", RegistryCommit.ANY_VERSION)
                .create(TREE.failoverItem(0)));
        cluster.pass(Duration.ofSeconds(10));

        start(definition, "b@-@1");

        assertThat(cluster.executions())
                .extracting(Execution::taskId)
                .satisfiesExactly(
                        task -> assertThat(task).contains("@-@r1@-@"),
                        task -> assertThat(task).contains("2026-03-01T00:00:10Z"));
    }

    @Test
    void aDisabledItemIsLeftOut() {
        start(definition(ONCE_A_YEAR, 3), "a@-@1");
        cluster.get(admin.disableItem("orders", 1));

        TriggerAnswer answer = cluster.get(admin.trigger("orders"));
        settle();

        assertThat(answer.disabled()).containsExactly(1);
        assertThat(items()).containsExactlyInAnyOrder(0, 2);
        assertThat(cluster.read(TREE.trigger(1))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRunOfAnItemThatWasDisabledSinceIsDropped(boolean monitored) {
        start(definition(ONCE_A_YEAR, 1).toBuilder().monitorExecution(monitored).build(), "a@-@1");
        cluster.holdItems();
        cluster.get(admin.trigger("orders", "r1"));
        settle();
        cluster.get(admin.trigger("orders", "r2"));
        cluster.get(admin.disableItem("orders", 0));

        cluster.letItemsBegin();
        settle();

        assertThat(cluster.executions()).hasSize(1);
        assertThat(cluster.read(TREE.trigger(0))).isEmpty();
        assertThat(dropped()).containsExactly(List.of("r2"));
    }

    @Test
    void aRunOfAnItemBeyondTheTotalIsDropped() {
        start(definition(ONCE_A_YEAR, 2), "a@-@1");
        cluster.holdItems();
        cluster.get(admin.trigger("orders", "r1"));
        settle();
        cluster.get(admin.trigger("orders", "r2"));
        cluster.get(admin.redefine(
                "orders", now -> now.toBuilder().shardingTotalCount(1).build()));

        cluster.letItemsBegin();
        settle();

        assertThat(cluster.read(TREE.item(1))).isEmpty();
        assertThat(dropped())
                .hasSize(1)
                .allSatisfy(runIds -> assertThat(runIds)
                        .as("one had been claimed, but not begun")
                        .containsExactlyInAnyOrder("r1", "r2"));
    }

    @Test
    void withoutMonitoringEachRequestIsOneRun() {
        start(definition(ONCE_A_YEAR, 2).toBuilder().monitorExecution(false).build(), "a@-@1", "b@-@1");
        cluster.holdItems();
        cluster.get(admin.trigger("orders", "r1"));
        settle();
        cluster.get(admin.trigger("orders", "r2"));
        settle();

        cluster.letItemsBegin();
        settle();

        assertThat(items()).containsExactlyInAnyOrder(0, 0, 1, 1);
        assertThat(cluster.read(TREE.trigger(0))).isEmpty();
    }

    @Test
    void aRunThatCannotBeginWaitsAgain() {
        start(definition(ONCE_A_YEAR, 1), "a@-@1");
        cluster.holdItems();
        cluster.get(admin.trigger("orders", "r1"));
        settle();
        cluster.get(admin.trigger("orders", "r2"));
        cluster.stop("a@-@1");
        settle();

        cluster.letItemsBegin();
        settle();
        assertThat(cluster.executions()).isEmpty();
        assertThat(cluster.read(TREE.trigger(0)).orElseThrow().text()).contains("r2,r1");

        start(definition(ONCE_A_YEAR, 1), "b@-@1");
        assertThat(cluster.executions())
                .extracting(Execution::taskId)
                .singleElement()
                .satisfies(task -> assertThat(task).contains("@-@r2,r1@-@"));
    }

    @Test
    void whileNobodyMayRunItItIsRefused() {
        start(definition(ONCE_A_YEAR, 1), "a@-@1");
        cluster.get(admin.disableServer("orders", "10.0.0.1"));

        assertThatThrownBy(() -> cluster.get(admin.trigger("orders")))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("\"orders\" has no instance that may run it now");
    }

    // ------------------------------------------------------------------ operators' tools

    @Test
    void aToolOfTwoAsksAnInstanceForTheWholeJob() {
        start(definition(ONCE_A_YEAR, 4), "a@-@1", "b@-@1");
        String before = cluster.read(TREE.instance("a@-@1")).orElseThrow().text();

        cluster.commit(RegistryCommit.builder().set(TREE.instance("a@-@1"), "TRIGGER", RegistryCommit.ANY_VERSION));
        settle();

        assertThat(items()).containsExactlyInAnyOrder(0, 1, 2, 3);
        assertThat(cluster.read(TREE.instance("a@-@1")).orElseThrow().text()).isEqualTo(before);
    }

    @Test
    void withoutMonitoringTooARunThatCannotBeginWaitsAgain() {
        start(definition(ONCE_A_YEAR, 1).toBuilder().monitorExecution(false).build(), "a@-@1");
        cluster.holdItems();
        cluster.get(admin.trigger("orders", "r1"));
        settle();
        cluster.stop("a@-@1");
        settle();

        cluster.letItemsBegin();
        settle();

        assertThat(cluster.executions()).isEmpty();
        assertThat(dropped()).isEmpty();
        assertThat(cluster.read(TREE.trigger(0)).orElseThrow().text()).contains("r1");
        assertThat(cluster.read(TREE.running(0))).isEmpty();
    }

    @Test
    void aToolOfThreeAsksAnInstanceForTheWholeJob() {
        start(definition(ONCE_A_YEAR, 4), "a@-@1", "b@-@1");

        cluster.commit(RegistryCommit.builder().create(TREE.triggerOf("b@-@1")));
        settle();

        assertThat(items()).containsExactlyInAnyOrder(0, 1, 2, 3);
        assertThat(cluster.read(TREE.triggerOf("b@-@1"))).isEmpty();
    }

    @Test
    void aToolOfThreeMayDeleteTheBellFirst() {
        start(definition(ONCE_A_YEAR, 2), "a@-@1");

        cluster.commit(RegistryCommit.builder()
                .delete(TREE.triggers(), RegistryCommit.ANY_VERSION)
                .create(TREE.triggers())
                .create(TREE.triggerOf("a@-@1")));
        settle();
        cluster.commit(RegistryCommit.builder().delete(TREE.triggers(), RegistryCommit.ANY_VERSION));
        cluster.get(admin.trigger("orders", "r1"));
        settle();

        assertThat(items()).containsExactlyInAnyOrder(0, 0, 1, 1);
    }

    @Test
    void whatAnEarlierHolderOfTheIdWasAskedForIsForgotten() {
        start(definition(ONCE_A_YEAR, 2), "a@-@1");
        cluster.stop("a@-@1");
        settle();
        cluster.commit(RegistryCommit.builder().create(TREE.triggerOf("a@-@1")));

        start(definition(ONCE_A_YEAR, 2), "a@-@1");

        assertThat(cluster.executions()).isEmpty();
        assertThat(cluster.read(TREE.triggerOf("a@-@1"))).isEmpty();
    }

    @Test
    void whatIsAskedForInManyInterleavingsRunsOnce() {
        for (long seed = 0; seed < 100; seed++) {
            SimulatedCluster busy = new SimulatedCluster(seed);
            JobAdmin operator = new RegistryJobAdmin(busy.operator());
            JobDefinition orders = definition("0/5 * * * * ?", 4);
            busy.start("a@-@1", orders);
            busy.start("b@-@1", orders);
            busy.pass(Duration.ofSeconds(2));

            operator.trigger("orders", "r1");
            operator.trigger("orders", "r1");
            busy.commit(RegistryCommit.builder().set(TREE.instance("a@-@1"), "TRIGGER", RegistryCommit.ANY_VERSION));
            busy.stop("b@-@1");
            busy.pass(Duration.ofSeconds(5));

            assertThat(busy.executions().stream().filter(run -> run.taskId().contains("r1")))
                    .as("seed %d: %s", seed, busy.trace())
                    .extracting(Execution::item)
                    .containsExactlyInAnyOrder(0, 1, 2, 3);
        }
    }

    /** The console writes to one instance after the other, and items may move between two of its writes. */
    @Test
    void aToolsTriggerOnSeveralInstancesIsOneRunOfEachItemWhateverMovesMeanwhile() {
        for (int seed = 0; seed < 60; seed++) {
            SimulatedCluster busy = new SimulatedCluster(seed);
            busy.start("a@-@1", definition(ONCE_A_YEAR, 6));
            busy.start("b@-@1", definition(ONCE_A_YEAR, 6));
            busy.pass(Duration.ofSeconds(2));

            busy.start("c@-@1", definition(ONCE_A_YEAR, 6));
            busy.pass(Duration.ofMillis(seed % 7));
            click(busy, Duration.ofMillis(seed % 5), "a@-@1", "b@-@1");
            busy.pass(Duration.ofSeconds(2));
            assertThat(busy.executions())
                    .as("seed %d: %s", seed, busy.trace())
                    .extracting(Execution::item)
                    .containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);

            click(busy, Duration.ofMillis(1), "a@-@1", "b@-@1", "c@-@1");
            busy.pass(Duration.ofSeconds(2));
            assertThat(busy.executions())
                    .as("seed %d, once more", seed)
                    .extracting(Execution::item)
                    .containsExactlyInAnyOrder(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5);
        }
    }

    private static void click(SimulatedCluster busy, Duration between, String... instances) {
        for (String instance : instances) {
            busy.commit(RegistryCommit.builder().set(TREE.instance(instance), "TRIGGER", RegistryCommit.ANY_VERSION));
            busy.pass(between);
        }
    }

    @Test
    void aToolsTriggerOnADisabledJobIsAnsweredAsWhatItIs() {
        start(definition(ONCE_A_YEAR, 2), "a@-@1");
        cluster.get(admin.disableServer("orders", "10.0.0.1"));
        settle();

        try (LoggedLines log = new LoggedLines()) {
            click(cluster, Duration.ZERO, "a@-@1");
            settle();

            assertThat(log.all())
                    .anySatisfy(line -> assertThat(line)
                            .startsWith("WARN")
                            .contains("\"orders\"", "no instance owns items", "Nothing runs"));
        }
        assertThat(cluster.executions()).isEmpty();
    }

    // ------------------------------------------------------------------ helpers

    private static JobDefinition definition(String cron, int items) {
        return JobDefinition.builder("orders")
                .cron(cron)
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(items)
                .build();
    }

    private void start(JobDefinition definition, String... instances) {
        for (String instance : instances) {
            cluster.start(instance, definition);
        }
        cluster.pass(Duration.ofSeconds(1));
    }

    private void settle() {
        cluster.settle();
    }

    private List<Integer> items() {
        return cluster.executions().stream().map(Execution::item).toList();
    }

    private String record(int item) {
        return cluster.read(TREE.item(item)).orElseThrow().text();
    }

    private List<List<String>> dropped() {
        return cluster.events().stream()
                .filter(JobEvent.ManualRunDropped.class::isInstance)
                .map(event -> ((JobEvent.ManualRunDropped) event).runIds())
                .toList();
    }
}
