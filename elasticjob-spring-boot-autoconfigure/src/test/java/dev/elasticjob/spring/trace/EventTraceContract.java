package dev.elasticjob.spring.trace;

import static dev.elasticjob.spring.trace.Traces.A;
import static dev.elasticjob.spring.trace.Traces.NOON;
import static dev.elasticjob.spring.trace.Traces.cancelled;
import static dev.elasticjob.spring.trace.Traces.finished;
import static dev.elasticjob.spring.trace.Traces.foundInterrupted;
import static dev.elasticjob.spring.trace.Traces.manual;
import static dev.elasticjob.spring.trace.Traces.started;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.spring.autoconfigure.ElasticJobProperties.Tracing;
import dev.elasticjob.spring.history.CommandEntry;
import dev.elasticjob.spring.history.CommandPage;
import dev.elasticjob.spring.history.CommandQuery;
import dev.elasticjob.spring.history.HistoryEntry;
import dev.elasticjob.spring.history.HistoryOutcome;
import dev.elasticjob.spring.history.HistoryPage;
import dev.elasticjob.spring.history.HistoryQuery;
import dev.elasticjob.spring.history.JdbcJobHistory;
import dev.elasticjob.spring.history.JobHistory;
import dev.elasticjob.spring.history.RunGrid;
import dev.elasticjob.spring.history.RunSummary;
import dev.elasticjob.spring.history.StatusEntry;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** What the event trace does on every database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EventTraceContract {
    static final Instant LATER = NOON.plusSeconds(3600);

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final List<EventTrace> opened = new ArrayList<>();
    private final List<Thread> writers = new ArrayList<>();

    private TestDatabase database;
    private JobHistory history;

    abstract TestDatabase start();

    /** As the scripts are named. */
    abstract String platform();

    final TestDatabase database() {
        return database;
    }

    final JobHistory history() {
        return history;
    }

    @BeforeAll
    void startDatabase() {
        database = start();
        history = new JdbcJobHistory(database.jdbc(), new SimpleAsyncTaskExecutor("history-"), Duration.ofSeconds(30));
    }

    @AfterAll
    void stopDatabase() {
        if (database != null) {
            database.close();
        }
    }

    @BeforeEach
    void createTables() throws Exception {
        database.clear();
        new TraceSchema(database.dataSource(), Traces.properties()).afterPropertiesSet();
    }

    /** What one that has been given up still writes would be counted by the next test. */
    @AfterEach
    void endTraces() throws InterruptedException {
        opened.forEach(EventTrace::stop);
        opened.clear();
        for (Thread writer : writers) {
            writer.join(PATIENCE.toMillis());
            assertThat(writer.isAlive()).as("the writer still writes").isFalse();
        }
        writers.clear();
    }

    // ------------------------------------------------------------------ what is written

    @Test
    void anExecutionIsRecordedWithAllThatIsKnown() {
        record(started(2, NOON, 1, A), finished(2, NOON, 1, A));

        HistoryEntry entry = onlyEntry();
        assertThat(entry.jobName()).isEqualTo("orders");
        assertThat(entry.item()).isEqualTo(2);
        assertThat(entry.runId()).isEqualTo("orders@2026-03-01T12:00:00Z");
        assertThat(entry.scheduledTime()).isEqualTo(NOON);
        assertThat(entry.attempt()).isEqualTo(1);
        assertThat(entry.instance()).contains(A);
        assertThat(entry.hostname()).contains("this-host");
        assertThat(entry.startTime()).contains(NOON.plusMillis(15));
        assertThat(entry.completeTime()).contains(NOON.plusMillis(1_015));
        assertThat(entry.outcome()).isEqualTo(HistoryOutcome.COMPLETED);
        assertThat(entry.failure()).isEmpty();
        assertThat(history.steps(entry.id()))
                .extracting(StatusEntry::state)
                .containsExactly("TASK_RUNNING", "TASK_FINISHED");
        assertThat(database.jdbc().queryForMap("SELECT ip, execution_source, task_id FROM JOB_EXECUTION_LOG"))
                .containsEntry("ip", "10.0.0.1")
                .containsEntry("execution_source", "NORMAL_TRIGGER")
                .containsEntry("task_id", "orders@-@2@-@2026-03-01T12:00:00Z@-@1@-@10.0.0.1@-@7");
    }

    @Test
    void theEndIsAddedToAStartThatWasWrittenBefore() {
        record(started(0, NOON, 1, A));
        assertThat(onlyEntry().outcome()).isEqualTo(HistoryOutcome.RUNNING);

        record(finished(0, NOON, 1, A, ExecutionOutcome.FAILED, new IllegalStateException("no stock")));

        assertThat(onlyEntry().outcome()).isEqualTo(HistoryOutcome.FAILED);
        assertThat(onlyEntry().startTime()).contains(NOON.plusMillis(15));
        assertThat(onlyEntry().failure().orElseThrow()).startsWith("java.lang.IllegalStateException: no stock");
    }

    @Test
    void anInstanceThatDiedLeavesNoExecutionRunning() {
        record(started(0, NOON, 1, A));

        record(foundInterrupted(0, NOON, 1, A), started(0, NOON, 2, Traces.B), finished(0, NOON, 2, Traces.B));

        assertThat(history.executions(HistoryQuery.all()).entries())
                .extracting(HistoryEntry::attempt, HistoryEntry::outcome)
                .map(Object::toString)
                .containsExactlyInAnyOrder("(1, INTERRUPTED)", "(2, COMPLETED)");
    }

    @Test
    void whatTheInstanceItselfReportedIsNotReplacedByWhatAnotherFound() {
        record(started(0, NOON, 1, A), finished(0, NOON, 1, A));

        record(foundInterrupted(0, NOON, 1, A));

        assertThat(onlyEntry().outcome()).isEqualTo(HistoryOutcome.COMPLETED);
    }

    @Test
    void whatAnOperatorHasCancelledStaysCancelledInWhateverOrderItIsReported() {
        record(started(0, NOON, 1, A), finished(0, NOON, 1, A));
        record(cancelled(0, NOON, 1, A));
        record(started(1, NOON, 1, A), cancelled(1, NOON, 1, A));
        record(finished(1, NOON, 1, A));

        assertThat(history.executions(HistoryQuery.all()).entries()).hasSize(2).allSatisfy(entry -> {
            assertThat(entry.outcome()).isEqualTo(HistoryOutcome.CANCELLED);
            assertThat(entry.failure()).contains("cancelled by alice: wrong data");
        });
    }

    @Test
    void whatIsWrittenTwiceIsStoredOnce() {
        JobEvent[] events = {
            started(0, NOON, 1, A), finished(0, NOON, 1, A), new JobEvent.FiringsLost("orders", 1, NOON, NOON, 1)
        };

        record(events);
        record(events);

        assertThat(count("JOB_EXECUTION_LOG")).isEqualTo(2);
        assertThat(count("JOB_STATUS_TRACE_LOG")).isEqualTo(3);
    }

    @Test
    void aBatchWhoseAnswerWasLostIsNotDoubled() {
        AtomicInteger commits = new AtomicInteger();
        var losesFirstAnswer = new JdbcTransactionManager(database.dataSource()) {
            @Override
            protected void doCommit(DefaultTransactionStatus status) {
                super.doCommit(status);
                if (commits.incrementAndGet() == 1) {
                    throw new TransientDataAccessResourceException("no answer");
                }
            }
        };
        EventTrace trace = open(Traces.properties(), losesFirstAnswer);

        trace.onEvent(started(0, NOON, 1, A));
        trace.onEvent(finished(0, NOON, 1, A));
        trace.stop();

        assertThat(commits.get()).isEqualTo(2);
        assertThat(trace.failures()).isEqualTo(1);
        assertThat(trace.waiting()).isZero();
        assertThat(trace.delay()).isZero();
        assertThat(count("JOB_EXECUTION_LOG")).isEqualTo(1);
        assertThat(count("JOB_STATUS_TRACE_LOG")).isEqualTo(2);
        assertThat(trace.dropped()).isZero();
    }

    @Test
    void textsAreStoredAsTheyAreAndCutToFit() {
        String failure = "订单 🚀 \0" + "x".repeat(100_000);

        record(finished(0, NOON, 1, A, ExecutionOutcome.FAILED, new IllegalStateException(failure)));

        HistoryEntry entry = onlyEntry();
        assertThat(entry.failure().orElseThrow())
                .startsWith("java.lang.IllegalStateException: 订单 🚀 xxx")
                .hasSizeBetween(HistoryEntry.HEAD, HistoryEntry.HEAD + 1);
    }

    @Test
    void aStackTraceIsStoredWithAllItsCauses() {
        IllegalStateException failure = nested(400, 50);
        StringWriter whole = new StringWriter();
        failure.printStackTrace(new PrintWriter(whole));
        assertThat(whole.toString()).hasSizeBetween(20_000, 60_000);

        record(finished(0, NOON, 1, A, ExecutionOutcome.FAILED, failure));

        assertThat(storedFailure()).isEqualTo(whole.toString());
    }

    @Test
    void oneOfMoreThan64KilobytesIsCutInTheMiddle() {
        record(finished(0, NOON, 1, A, ExecutionOutcome.FAILED, nested(900, 200)));

        assertThat(storedFailure())
                .startsWith("java.lang.IllegalStateException: 订单 900 xxx")
                .containsPattern("\n… [0-9]{6,} characters are left out here …\n")
                .contains("Caused by: java.lang.IllegalStateException: 订单 1 xxx")
                .satisfies(stored -> assertThat(stored.getBytes(UTF_8).length).isBetween(55_000, 65_536));
    }

    private String storedFailure() {
        return history.execution(onlyEntry().id()).orElseThrow().failure().orElseThrow();
    }

    /** A failure with so many causes, each on one line of its own. */
    private static IllegalStateException nested(int causes, int length) {
        IllegalStateException failure = null;
        for (int cause = 1; cause <= causes; cause++) {
            failure = new IllegalStateException("订单 " + cause + " " + "x".repeat(length), failure);
            failure.setStackTrace(new StackTraceElement[0]);
        }
        return Objects.requireNonNull(failure);
    }

    @Test
    void aRowThatTheDatabaseRefusesIsLeftOutAndCountedOthersAreNot() {
        database.jdbc().execute("ALTER TABLE JOB_EXECUTION_LOG ADD CONSTRAINT no_item_7 CHECK (sharding_item <> 7)");

        EventTrace trace = record(finished(6, NOON, 1, A), finished(7, NOON, 1, A), finished(8, NOON, 1, A));

        assertThat(history.executions(HistoryQuery.all()).entries())
                .extracting(HistoryEntry::item)
                .containsExactlyInAnyOrder(6, 8);
        assertThat(trace.dropped()).isEqualTo(1);
    }

    @Test
    void jobsThatAreExcludedAreNotTraced() {
        record(new JobEvent.FiringsLost("untraced", 1, NOON, NOON, 1));

        assertThat(count("JOB_EXECUTION_LOG")).isZero();
    }

    // ------------------------------------------------------------------ history

    @Test
    void pagesGoOnWhereTheOneBeforeEndedThoughTimesAreTheSame() {
        for (int firing = 0; firing < 3; firing++) {
            for (int item = 0; item < 5; item++) {
                record(finished(item, NOON.plusSeconds(firing), 1, A));
            }
        }
        HistoryQuery query = HistoryQuery.all().ofJob("orders").limit(4);
        List<HistoryEntry> all = new ArrayList<>();

        HistoryPage page = history.executions(query);
        all.addAll(page.entries());
        while (page.next().isPresent()) {
            page = history.executions(query.after(page.next().orElseThrow()));
            all.addAll(page.entries());
        }

        assertThat(all).extracting(HistoryEntry::id).hasSize(15).doesNotHaveDuplicates();
        assertThat(all).extracting(HistoryEntry::scheduledTime).isSortedAccordingTo((a, b) -> b.compareTo(a));
    }

    @Test
    void entriesAreFoundByJobItemRunOutcomeAndTime() {
        record(
                finished(0, NOON, 1, A),
                finished(1, NOON, 1, A, ExecutionOutcome.TIMEOUT, null),
                finished(0, NOON.plusSeconds(1), 1, A),
                manual(0, NOON.plusSeconds(2), "month-end,100%_of,x"));
        HistoryQuery orders = HistoryQuery.all().ofJob("orders");

        assertThat(history.executions(orders.ofRun("month-end")).entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.actor()).hasValue("alice"));
        assertThat(found(orders)).isEqualTo(4);
        assertThat(found(HistoryQuery.all().ofJob("Orders"))).isZero();
        assertThat(found(orders.ofItem(0))).isEqualTo(3);
        assertThat(found(orders.ofRun("orders@" + NOON))).isEqualTo(2);
        assertThat(found(orders.ofRun("month-end"))).isEqualTo(1);
        assertThat(found(orders.ofRun("100%_of"))).isEqualTo(1);
        assertThat(found(orders.ofRun("100xxof"))).isZero();
        assertThat(found(orders.ofRun("x"))).isEqualTo(1);
        assertThat(found(orders.withOutcomes(HistoryOutcome.TIMEOUT, HistoryOutcome.FAILED)))
                .isEqualTo(1);
        assertThat(found(orders.from(NOON.plusSeconds(1)))).isEqualTo(2);
        assertThat(found(orders.until(NOON.plusSeconds(1)))).isEqualTo(2);
        assertThat(found(orders.from(NOON).until(NOON.plusMillis(1)).ofItem(1))).isEqualTo(1);
    }

    @Test
    void firingsThatDidNotRunAreFoundByJobAndTime() {
        record(
                new JobEvent.FiringsFolded("orders", 3, NOON, NOON.plusSeconds(20), 4),
                new JobEvent.FiringsLost("orders", 4, NOON, NOON, 1),
                new JobEvent.ManualRunDropped("orders", 5, List.of("a"), "the item is disabled"));

        List<HistoryEntry> atNoon = history.executions(
                        HistoryQuery.all().ofJob("orders").from(NOON).until(NOON.plusMillis(1)))
                .entries();
        assertThat(atNoon)
                .extracting(HistoryEntry::item, HistoryEntry::outcome, HistoryEntry::missedFirings)
                .map(Object::toString)
                .containsExactlyInAnyOrder("(3, FOLDED, 4)", "(4, LOST, 1)");
        assertThat(found(HistoryQuery.all().withOutcomes(HistoryOutcome.DROPPED).ofRun("a")))
                .isEqualTo(1);
    }

    @Test
    void whatTheWatchdogReportsIsAStepOfTheExecutionAndAnEntryOfTheFiring() {
        JobEvent stuck =
                new JobEvent.ItemStuck("orders", A, 0, NOON, "orders@" + NOON, 1, NOON, Duration.ofMinutes(5), A);
        record(started(0, NOON, 1, A), stuck);
        record(stuck);
        record(new JobEvent.FiringOverdue("orders", NOON.plusSeconds(60), Duration.ofMinutes(2), Traces.B));

        HistoryEntry execution = history.executions(
                        HistoryQuery.all().ofJob("orders").ofItem(0))
                .entries()
                .get(0);
        HistoryEntry overdue = history.executions(
                        HistoryQuery.all().ofJob("orders").withOutcomes(HistoryOutcome.OVERDUE))
                .entries()
                .get(0);
        RunGrid grid = history.runs("orders", 10, Optional.empty());

        assertThat(execution.outcome()).isEqualTo(HistoryOutcome.RUNNING);
        assertThat(history.steps(execution.id()))
                .extracting(StatusEntry::message)
                .filteredOn(message -> message.startsWith("Stuck"))
                .containsExactly("Stuck: executing for longer than its stuckAfter of 5 min, since %s (reported by %s)"
                        .formatted(NOON, A));
        assertThat(overdue.item()).isEqualTo(HistoryEntry.ALL_ITEMS);
        assertThat(overdue.scheduledTime()).isEqualTo(NOON.plusSeconds(60));
        assertThat(overdue.failure())
                .contains("No item had begun the firing within its expectWithin of 2 min (reported by %s)"
                        .formatted(Traces.B));
        assertThat(grid.items()).containsExactly(0);
        assertThat(grid.runs()).hasSize(2);
        assertThat(grid.runs().get(0).cells()).isEmpty();
    }

    @Test
    void theRunsOfAJobAreColumnsAndItsItemsRows() {
        record(finished(0, NOON, 1, A), finished(1, NOON, 1, A, ExecutionOutcome.INTERRUPTED, null));
        record(finished(1, NOON, 2, Traces.B), new JobEvent.FiringsLost("orders", 2, NOON, NOON, 1));
        record(manual(0, NOON.plusSeconds(10), "month-end"), manual(1, NOON.plusSeconds(30), "month-end"));
        record(finished(0, NOON.plusSeconds(20), 1, A));

        RunGrid grid = history.runs("orders", 10, Optional.empty());

        assertThat(grid.items()).containsExactly(0, 1, 2);
        assertThat(grid.runs())
                .extracting(RunGrid.Run::runId)
                .containsExactly("month-end", "orders@2026-03-01T12:00:20Z", "orders@2026-03-01T12:00:00Z");
        assertThat(grid.runs().get(2).cells().get(1))
                .extracting(RunGrid.Cell::outcome)
                .containsExactly(HistoryOutcome.INTERRUPTED, HistoryOutcome.COMPLETED);
        assertThat(grid.runs().get(2).cells().get(2))
                .extracting(RunGrid.Cell::outcome)
                .containsExactly(HistoryOutcome.LOST);
        assertThat(grid.next()).isEmpty();
    }

    @Test
    void theGridGoesOnWithEarlierRunsAndRepeatsNone() {
        for (int firing = 0; firing < 10; firing += 2) {
            record(finished(0, NOON.plusSeconds(firing), 1, A));
        }
        record(manual(0, NOON.plusSeconds(3), "slow-to-claim"), manual(1, NOON.plusSeconds(7), "slow-to-claim"));
        List<String> runs = new ArrayList<>();

        RunGrid grid = history.runs("orders", 2, Optional.empty());
        grid.runs().forEach(run -> runs.add(run.runId()));
        while (grid.next().isPresent()) {
            grid = history.runs("orders", 2, grid.next());
            grid.runs().forEach(run -> runs.add(run.runId()));
        }

        assertThat(runs)
                .containsExactly(
                        "orders@2026-03-01T12:00:08Z",
                        "slow-to-claim",
                        "orders@2026-03-01T12:00:06Z",
                        "orders@2026-03-01T12:00:04Z",
                        "orders@2026-03-01T12:00:02Z",
                        "orders@2026-03-01T12:00:00Z");
    }

    @Test
    void theLatestRunsOfSeveralJobsAreSummedUp() {
        record(finished(0, NOON, 1, A), finished(1, NOON, 1, A, ExecutionOutcome.INTERRUPTED, null));
        record(finished(1, NOON, 2, Traces.B));
        record(finished(0, NOON.plusSeconds(10), 1, A), new JobEvent.FiringsLost("orders", 1, NOON, NOON, 1));
        record(finished(0, NOON.plusSeconds(20), 1, A, ExecutionOutcome.FAILED, null));
        record(finished(1, NOON.plusSeconds(20), 1, A), started(2, NOON.plusSeconds(30), 1, A));
        record(new JobEvent.FiringOverdue("mails", NOON, Duration.ofMinutes(2), Traces.B));

        Map<String, List<RunSummary>> latest = history.latest(List.of("orders", "mails", "unknown"), 3);

        assertThat(latest).containsOnlyKeys("orders", "mails");
        assertThat(latest.get("orders"))
                .extracting(RunSummary::scheduledTime, RunSummary::outcome, RunSummary::items, RunSummary::completed)
                .containsExactly(
                        tuple(NOON.plusSeconds(30), HistoryOutcome.RUNNING, 1, 0),
                        tuple(NOON.plusSeconds(20), HistoryOutcome.FAILED, 2, 1),
                        tuple(NOON.plusSeconds(10), HistoryOutcome.COMPLETED, 1, 1));
        assertThat(latest.get("mails"))
                .extracting(RunSummary::outcome, RunSummary::items)
                .containsExactly(tuple(HistoryOutcome.OVERDUE, 0));
        assertThat(history.latest(List.of("orders"), 50).get("orders").get(3))
                .as("completed on each item, by a second attempt or not; the lost firing belongs to it too")
                .satisfies(run -> assertThat(run.outcome()).isEqualTo(HistoryOutcome.COMPLETED))
                .satisfies(run -> assertThat(run.startTime()).isPresent())
                .satisfies(run -> assertThat(run.completeTime()).isPresent());
    }

    // ------------------------------------------------------------------ commands

    @Test
    void commandsAreRecordedWithTheirActorAndWhatCameOfThem() {
        record(command("orders", "disable item 3", "alice", true), command("orders", "pause", "bob", false));

        CommandPage page = history.commands(CommandQuery.all());

        assertThat(page.next()).isEmpty();
        assertThat(page.entries())
                .filteredOn(entry -> entry.actor().equals("alice"))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.jobName()).isEqualTo("orders");
                    assertThat(entry.command()).isEqualTo("disable item 3");
                    assertThat(entry.reason()).contains("INC-7");
                    assertThat(entry.before()).isEqualTo("enabled");
                    assertThat(entry.succeeded()).isTrue();
                    assertThat(entry.outcome()).isEqualTo("done");
                    assertThat(entry.hostname()).isEqualTo("this-host");
                });
        assertThat(history.commands(CommandQuery.all().thatWereRefused()).entries())
                .extracting(CommandEntry::command)
                .containsExactly("pause");
    }

    @Test
    void commandsAreFoundByJobAndActorWithThoseForAllJobs() {
        record(
                command("orders", "pause", "alice", true),
                command("orders", "resume", "bob", true),
                command("invoices", "pause", "alice", true),
                command("*", "drain a", "alice", true));

        assertThat(history.commands(CommandQuery.all().ofJob("orders")).entries())
                .extracting(CommandEntry::command)
                .containsExactlyInAnyOrder("pause", "resume", "drain a");
        assertThat(history.commands(CommandQuery.all().ofJob("orders").by("bob"))
                        .entries())
                .extracting(CommandEntry::command)
                .containsExactly("resume");
    }

    @Test
    void pagesOfCommandsGoOnWhereTheOneBeforeEnded() {
        record(
                command("orders", "1", "alice", true),
                command("orders", "2", "alice", true),
                command("orders", "3", "alice", true));

        CommandPage first = history.commands(CommandQuery.all().limit(2));
        CommandPage second =
                history.commands(CommandQuery.all().limit(2).after(first.next().orElseThrow()));

        assertThat(second.next()).isEmpty();
        assertThat(Stream.of(first, second).flatMap(page -> page.entries().stream()))
                .extracting(CommandEntry::command)
                .containsExactlyInAnyOrder("1", "2", "3");
    }

    @Test
    void oldCommandsAreDeleted() {
        record(command("orders", "pause", "alice", true));
        database.jdbc().update("UPDATE JOB_COMMAND_LOG SET ended_time = '2020-01-01 00:00:00'");
        record(command("orders", "resume", "alice", true));

        retention().deleteIfDue();

        assertThat(history.commands(CommandQuery.all()).entries())
                .extracting(CommandEntry::command)
                .containsExactly("resume");
    }

    private static JobEvent.CommandEnded command(String job, String command, String actor, boolean succeeded) {
        return new JobEvent.CommandEnded(
                job, command, actor, Optional.of("INC-7"), "enabled", succeeded, succeeded ? "done" : "refused");
    }

    // ------------------------------------------------------------------ retention

    @Test
    void oldEntriesAreDeletedInSlicesByOneInstance() {
        List<JobEvent> old = new ArrayList<>();
        for (int item = 0; item < 1_500; item++) {
            old.add(finished(item, NOON.minus(Duration.ofDays(2)), 1, A));
        }
        record(old.toArray(JobEvent[]::new));
        record(
                finished(0, LATER.minusSeconds(10), 1, A),
                new JobEvent.FiringsFolded("orders", 1, NOON.minus(Duration.ofDays(40)), LATER, 57));

        TraceRetention one = retention();
        TraceRetention other = retention();
        one.deleteIfDue();
        int afterOne = count("JOB_EXECUTION_LOG");
        other.deleteIfDue();
        int afterOther = count("JOB_EXECUTION_LOG");
        one.deleteIfDue();
        one.deleteIfDue();

        assertThat(afterOne).isEqualTo(502);
        assertThat(afterOther).as("the lease is the first one's").isEqualTo(502);
        assertThat(history.executions(HistoryQuery.all()).entries())
                .as("what is recent, and what was found recently")
                .extracting(HistoryEntry::outcome)
                .containsExactly(HistoryOutcome.COMPLETED, HistoryOutcome.FOLDED);
        assertThat(count("JOB_STATUS_TRACE_LOG")).isEqualTo(2);
    }

    @Test
    void withoutARetentionNothingIsDeleted() {
        record(finished(0, NOON.minus(Duration.ofDays(1_000)), 1, A));

        retention(Duration.ZERO).deleteIfDue();

        assertThat(count("JOB_EXECUTION_LOG")).isEqualTo(1);
    }

    // ------------------------------------------------------------------ tables

    @Test
    void theSchemaIsCreatedOnceAndLeftAloneThen() throws Exception {
        record(finished(0, NOON, 1, A));

        new TraceSchema(database.dataSource(), Traces.properties()).afterPropertiesSet();

        assertThat(count("JOB_EXECUTION_LOG")).isEqualTo(1);
    }

    @Test
    void missingTablesAreReportedWithTheScript() {
        database.clear();

        assertThatThrownBy(() -> TraceTables.read(database.jdbc()))
                .isInstanceOf(FailureAnalyzedException.class)
                .hasMessageContaining("\"JOB_EXECUTION_LOG\"");
    }

    @Test
    void tablesOfElasticJobsAreReportedWithTheScriptThatUpgradesThem() {
        createElasticJobsTables();
        var schema = new TraceSchema(database.dataSource(), Traces.properties());

        assertThatThrownBy(schema::afterPropertiesSet)
                .isInstanceOfSatisfying(FailureAnalyzedException.class, failure -> {
                    assertThat(failure.analysis().getDescription())
                            .contains("\"JOB_EXECUTION_LOG\" lacks the columns [run_id, ");
                    assertThat(failure.analysis().getAction())
                            .contains("dev/elasticjob/spring/trace/upgrade-elastic-job-" + platform() + ".sql");
                });
    }

    @Test
    void upgradedTablesOfElasticJobsAreUsedAndKeepTheirRows() throws Exception {
        createElasticJobsTables();
        String success = platform().equals("postgresql") ? "TRUE" : "1";
        database.jdbc()
                .execute("INSERT INTO JOB_EXECUTION_LOG (id, job_name, task_id, hostname, ip, sharding_item,"
                        + " execution_source, is_success, start_time, complete_time) VALUES ('old', 'orders',"
                        + " 'orders@-@0,1@-@READY@-@10.0.0.1@-@7', 'h', '10.0.0.1', 1, 'NORMAL_TRIGGER', " + success
                        + ", '2026-02-01 10:00:00', '2026-02-01 10:00:01')");

        new ResourceDatabasePopulator(
                        new ClassPathResource("dev/elasticjob/spring/trace/upgrade-elastic-job-" + platform() + ".sql"))
                .execute(database.dataSource());
        new TraceSchema(database.dataSource(), Traces.properties()).afterPropertiesSet();
        record(started(0, NOON, 1, A), finished(0, NOON, 1, A));

        assertThat(history.executions(HistoryQuery.all()).entries())
                .extracting(HistoryEntry::item, HistoryEntry::outcome)
                .map(Object::toString)
                .containsExactly("(0, COMPLETED)", "(1, COMPLETED)");
    }

    private void createElasticJobsTables() {
        database.clear();
        ElasticJobTables.create(database.jdbc(), platform());
    }

    // ------------------------------------------------------------------ helpers

    /** Writes events, and what they have become is there when this returns. */
    final EventTrace record(JobEvent... events) {
        EventTrace trace = open(Traces.properties());
        for (JobEvent event : events) {
            trace.onEvent(event);
        }
        trace.stop();
        return trace;
    }

    final EventTrace open(Tracing properties) {
        return open(properties, new JdbcTransactionManager(database.dataSource()));
    }

    private EventTrace open(Tracing properties, PlatformTransactionManager manager) {
        JdbcTemplate jdbc = database.jdbc();
        var transactions = new TransactionTemplate(manager);
        var store = new TraceStore(jdbc, transactions, () -> "this-host");
        Clock clock = Clock.fixed(LATER, ZoneOffset.UTC);
        var retention = new TraceRetention(jdbc, transactions, store::tables, clock, properties.retention());
        var trace = new EventTrace(
                properties,
                (queue, dropped) -> new TraceWriter(queue, dropped, store, retention, properties),
                this::startWriter,
                clock);
        opened.add(trace);
        trace.start();
        return trace;
    }

    private void startWriter(Runnable work) {
        Thread writer = new Thread(work, "trace-writer");
        writer.setDaemon(true);
        writers.add(writer);
        writer.start();
    }

    private TraceRetention retention() {
        return retention(Duration.ofDays(1));
    }

    private TraceRetention retention(Duration age) {
        return new TraceRetention(
                database.jdbc(),
                new TransactionTemplate(new JdbcTransactionManager(database.dataSource())),
                () -> TraceTables.read(database.jdbc()),
                Clock.fixed(LATER, ZoneOffset.UTC),
                age);
    }

    final int count(String table) {
        return Optional.ofNullable(database.jdbc().queryForObject("SELECT COUNT(*) FROM " + table, Integer.class))
                .orElseThrow();
    }

    private int found(HistoryQuery query) {
        return history.executions(query).entries().size();
    }

    private HistoryEntry onlyEntry() {
        List<HistoryEntry> entries = history.executions(HistoryQuery.all()).entries();
        assertThat(entries).hasSize(1);
        return entries.get(0);
    }
}
