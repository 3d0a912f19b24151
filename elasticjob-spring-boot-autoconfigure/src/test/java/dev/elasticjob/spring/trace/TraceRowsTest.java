package dev.elasticjob.spring.trace;

import static dev.elasticjob.spring.trace.Traces.A;
import static dev.elasticjob.spring.trace.Traces.NOON;
import static dev.elasticjob.spring.trace.Traces.cancelled;
import static dev.elasticjob.spring.trace.Traces.finished;
import static dev.elasticjob.spring.trace.Traces.foundInterrupted;
import static dev.elasticjob.spring.trace.Traces.manual;
import static dev.elasticjob.spring.trace.Traces.started;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.job.event.ExecutionTrigger;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.spring.UnstartedItems;
import dev.elasticjob.spring.history.HistoryOutcome;
import dev.elasticjob.spring.trace.StatusRow.State;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TraceRowsTest {
    @Test
    void startAndEndInOneBatchAreOneRow() {
        TraceRows rows = rows(started(0, NOON, 1, A), finished(0, NOON, 1, A));

        assertThat(rows.executions()).singleElement().satisfies(row -> {
            assertThat(row.outcome()).isEqualTo(HistoryOutcome.COMPLETED);
            assertThat(row.started()).isEqualTo(NOON.plusMillis(15));
            assertThat(row.completed()).isEqualTo(NOON.plusMillis(1_015));
            assertThat(row.trigger()).isEqualTo(ExecutionTrigger.SCHEDULE);
        });
        assertThat(rows.states()).extracting(StatusRow::state).containsExactly(State.TASK_RUNNING, State.TASK_FINISHED);
    }

    @Test
    void theRowsOfAManualRunNameWhoRequestedIt() {
        TraceRows rows = rows(manual(0, NOON, "month-end"));

        assertThat(rows.executions()).extracting(ExecutionRow::actor).containsExactly("alice");
        assertThat(rows.states()).extracting(StatusRow::actor).containsExactly("alice");
        assertThat(rows(finished(0, NOON, 1, A)).executions())
                .extracting(ExecutionRow::actor)
                .containsOnlyNulls();
    }

    @ParameterizedTest
    @CsvSource({
        "COMPLETED, COMPLETED, TASK_FINISHED",
        "FAILED, FAILED, TASK_ERROR",
        "TIMEOUT, TIMEOUT, TASK_ERROR",
        "INTERRUPTED, INTERRUPTED, TASK_KILLED",
        "CANCELLED, CANCELLED, TASK_KILLED"
    })
    void everyEndHasAnOutcomeAndAState(ExecutionOutcome outcome, HistoryOutcome stored, State state) {
        TraceRows rows = rows(finished(0, NOON, 1, A, outcome, null));

        assertThat(rows.executions()).extracting(ExecutionRow::outcome).containsExactly(stored);
        assertThat(rows.states()).extracting(StatusRow::state).containsExactly(state);
    }

    @Test
    void theEndThatTheInstanceItselfReportedCountsInEitherOrder() {
        JobEvent end = finished(0, NOON, 1, A);
        JobEvent found = foundInterrupted(0, NOON, 1, A);

        assertThat(rows(end, found).executions())
                .extracting(ExecutionRow::outcome)
                .containsExactly(HistoryOutcome.COMPLETED);
        assertThat(rows(found, end).executions())
                .extracting(ExecutionRow::outcome)
                .containsExactly(HistoryOutcome.COMPLETED);
        assertThat(rows(found, started(0, NOON, 1, A)).executions())
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.outcome()).isEqualTo(HistoryOutcome.INTERRUPTED);
                    assertThat(row.started()).isEqualTo(NOON.plusMillis(15));
                });
    }

    @Test
    void whatIsCancelledIsShownSoWhateverItsInstanceReports() {
        JobEvent start = started(0, NOON, 1, A);
        JobEvent end = finished(0, NOON, 1, A);
        JobEvent cancelled = cancelled(0, NOON, 1, A);

        for (TraceRows rows : List.of(rows(start, end, cancelled), rows(cancelled, end), rows(start, cancelled))) {
            assertThat(rows.executions()).singleElement().satisfies(row -> {
                assertThat(row.outcome()).isEqualTo(HistoryOutcome.CANCELLED);
                assertThat(row.failure()).isEqualTo("cancelled by alice: wrong data");
                assertThat(row.completed()).isNotNull();
            });
        }
        assertThat(rows(cancelled).states()).extracting(StatusRow::state).containsExactly(State.TASK_KILLED);
    }

    @Test
    void attemptsAndInstancesAreExecutionsOfTheirOwn() {
        TraceRows rows = rows(
                started(0, NOON, 1, A), started(0, NOON, 2, A), started(0, NOON, 1, Traces.B), started(1, NOON, 1, A));

        assertThat(rows.executions())
                .extracting(ExecutionRow::id)
                .doesNotHaveDuplicates()
                .hasSize(4);
    }

    @Test
    void anEventHasTheSameIdsWheneverItIsReported() {
        TraceRows once = rows(started(0, NOON, 1, A), finished(0, NOON, 1, A));
        TraceRows again = rows(started(0, NOON, 1, A), finished(0, NOON, 1, A));

        assertThat(once.executions()).isEqualTo(again.executions());
        assertThat(once.states()).isEqualTo(again.states());
    }

    @ParameterizedTest
    @MethodSource("dev.elasticjob.spring.UnstartedItems#ways")
    void eachWayInWhichAnItemIsNotStartedHasARow(UnstartedItems.Way way) {
        TraceRows rows = TracedEvent.isTraced(way.event()) ? rows(way.event()) : rows();

        assertThat(rows.executions())
                .singleElement()
                .satisfies(row -> assertThat(row.outcome().name()).isEqualTo(way.history()));
        assertThat(rows.executions().get(0).started()).isNull();
    }

    @Test
    void firingsThatDidNotRunAreRowsOfTheFirstOfThem() {
        TraceRows rows = rows(
                new JobEvent.FiringsFolded("orders", 3, NOON, NOON.plusSeconds(20), 4),
                new JobEvent.FiringsLost("orders", 3, NOON, NOON, 1),
                new JobEvent.FiringsLost("orders", 3, NOON, NOON.plusSeconds(5), 1),
                new JobEvent.ManualRunDropped("orders", 3, List.of("a", "b"), "the item is disabled"));

        assertThat(rows.executions())
                .extracting(ExecutionRow::outcome, row -> row.task().runId(), ExecutionRow::missedFirings)
                .map(Object::toString)
                .containsExactly(
                        "(FOLDED, \"orders@2026-03-01T12:00:00Z\", 4)",
                        "(LOST, \"orders@2026-03-01T12:00:00Z\", 1)",
                        "(LOST, \"orders@2026-03-01T12:00:00Z\", 1)",
                        "(DROPPED, \"a,b\", 1)");
        assertThat(rows.executions()).extracting(ExecutionRow::id).doesNotHaveDuplicates();
        assertThat(rows.executions().get(0).failure()).contains("4 firings", "2026-03-01T12:00:20Z");
    }

    @Test
    void aRetryIsAStateOfItsExecution() {
        TraceRows rows = rows(new JobEvent.ItemRetried(
                "orders",
                A,
                0,
                NOON,
                "orders@" + NOON,
                1,
                2,
                Duration.ofSeconds(3),
                new IllegalStateException("no stock")));

        assertThat(rows.executions()).isEmpty();
        assertThat(rows.states()).singleElement().satisfies(row -> {
            assertThat(row.executionId())
                    .isEqualTo(rows(started(0, NOON, 1, A)).executions().get(0).id());
            assertThat(row.message())
                    .isEqualTo("Attempt 2 failed and is retried in 3 s: java.lang.IllegalStateException: no stock");
        });
    }

    @Test
    void theTaskIdIsThatOfTheContext() {
        assertThat(rows(started(4, NOON, 2, A)).executions().get(0).task().taskId())
                .isEqualTo("orders@-@4@-@2026-03-01T12:00:00Z@-@2@-@10.0.0.1@-@7");
        assertThat(rows(Traces.manual(4, NOON, "month-end"))
                        .executions()
                        .get(0)
                        .task()
                        .taskId())
                .isEqualTo("orders@-@4@-@month-end@-@1@-@10.0.0.1@-@7");
    }

    @Test
    void theFailureIsStoredWithItsStackTrace() {
        TraceRows rows = rows(finished(
                0,
                NOON,
                1,
                A,
                ExecutionOutcome.FAILED,
                new IllegalStateException("no stock", new RuntimeException("why"))));

        assertThat(rows.executions().get(0).failure())
                .startsWith("java.lang.IllegalStateException: no stock\n\tat ")
                .contains("Caused by: java.lang.RuntimeException: why");
    }

    private static TraceRows rows(JobEvent... events) {
        return TraceRows.of(Stream.of(events)
                .map(event -> new TracedEvent(event, NOON.plusSeconds(60)))
                .toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "cron: \"0 0 4 * * ?\" -> \"0 0 5 * * ?\"|cron: \"0 0 4 * * ?\" -> \"0 0 5 * * ?\"",
                "jobProperties: \"{db.password=s3cret, a=b}\" -> \"{}\"|jobProperties: \"{db.password=******, a=b}\" -> \"{}\"",
                "{\"apiKey\":\"s3cret\",\"a\":\"b\"}|{\"apiKey\":******,\"a\":\"b\"}"
            })
    void valuesThatMayBeSecretsAreNoPartOfACommandsOutcome(String outcome, String stored) {
        var command = new JobEvent.CommandEnded("orders", "redefine", "alice", Optional.empty(), "", true, outcome);

        assertThat(TraceRows.of(List.of(new TracedEvent(command, NOON))).commands())
                .extracting(CommandRow::outcome)
                .containsExactly(stored);
    }
}
