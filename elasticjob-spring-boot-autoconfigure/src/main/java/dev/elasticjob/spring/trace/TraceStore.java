package dev.elasticjob.spring.trace;

import static dev.elasticjob.spring.trace.TraceTables.COMMANDS;
import static dev.elasticjob.spring.trace.TraceTables.EXECUTIONS;
import static dev.elasticjob.spring.trace.TraceTables.STATES;

import dev.elasticjob.job.event.ExecutionTrigger;
import dev.elasticjob.job.event.JobEvent.CommandEnded;
import dev.elasticjob.spring.history.HistoryOutcome;
import dev.elasticjob.spring.trace.ExecutionRow.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Writes rows into the tables. Rows that were written before, perhaps without an answer, are not doubled. Confined to the
 * thread that writes the trace.
 */
final class TraceStore {
    private static final Logger log = LoggerFactory.getLogger(EventTrace.class);
    private static final String SOURCE = "LITE_EXECUTOR";

    private final JdbcOperations jdbc;
    private final TransactionOperations transactions;
    private final Supplier<String> hostname;
    private @Nullable TraceTables tables;

    /** @param hostname of this machine; asked once, on the thread of the trace */
    TraceStore(JdbcOperations jdbc, TransactionOperations transactions, Supplier<String> hostname) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.hostname = hostname;
    }

    /** The tables, looked at when they are needed first: the database may be unavailable when the application starts. */
    TraceTables tables() {
        TraceTables known = tables;
        if (known == null) {
            known = TraceTables.read(jdbc);
            tables = known;
        }
        return known;
    }

    /**
     * Writes all rows in one transaction. Rows that the database refuses for what is in them are left out.
     *
     * @return the number of rows that were refused
     * @throws RuntimeException when the database can't be written to at present
     */
    int write(TraceRows rows) {
        try {
            write(rows.executions(), rows.states(), rows.commands());
            return 0;
        } catch (DataAccessException e) {
            if (mayPass(e) || !areTablesThere()) {
                throw e;
            }
            return writeOneByOne(rows);
        }
    }

    private boolean areTablesThere() {
        return Stream.of(EXECUTIONS, STATES, COMMANDS).allMatch(table -> TraceTables.isThere(jdbc, table));
    }

    private int writeOneByOne(TraceRows rows) {
        List<DataAccessException> refusals = new ArrayList<>();
        rows.executions().forEach(row -> tryTo(() -> write(List.of(row), List.of(), List.of()), refusals));
        rows.states().forEach(row -> tryTo(() -> write(List.of(), List.of(row), List.of()), refusals));
        rows.commands().forEach(row -> tryTo(() -> write(List.of(), List.of(), List.of(row)), refusals));
        if (!refusals.isEmpty()) {
            log.warn(
                    "The database rejects {} entries of the event trace, so they are left out: {}",
                    refusals.size(),
                    refusals.get(0).getMostSpecificCause().getMessage());
        }
        return refusals.size();
    }

    private static void tryTo(Runnable write, List<DataAccessException> refusals) {
        try {
            write.run();
        } catch (DataAccessException e) {
            if (mayPass(e)) {
                throw e;
            }
            refusals.add(e);
        }
    }

    private static boolean mayPass(DataAccessException e) {
        return e instanceof TransientDataAccessException
                || e instanceof RecoverableDataAccessException
                || e instanceof DataAccessResourceFailureException;
    }

    private void write(List<ExecutionRow> executions, List<StatusRow> states, List<CommandRow> commands) {
        TraceTables to = tables();
        transactions.executeWithoutResult(status -> {
            List<ExecutionRow> there = insert(to, executions);
            update(to, of(Origin.END, there), " AND outcome <> '" + HistoryOutcome.CANCELLED + "'");
            update(to, of(Origin.FOUND_INTERRUPTED, there), " AND outcome = '" + HistoryOutcome.RUNNING + "'");
            cancel(to, of(Origin.CANCELLED, there));
            insertStates(to, states);
            insertCommands(to, commands);
        });
    }

    // ------------------------------------------------------------------ executions

    /** Returns those that may have been there before: all but the ones of which the database says that it stored them. */
    private List<ExecutionRow> insert(TraceTables to, List<ExecutionRow> rows) {
        if (rows.isEmpty()) {
            return rows;
        }
        String sql = to.dialect().insertIfAbsent(EXECUTIONS, TraceTables.EXECUTION_COLUMNS);
        int[] lengths = to.lengths(EXECUTIONS, TraceTables.EXECUTION_COLUMNS);
        int[][] stored = jdbc.batchUpdate(sql, rows, rows.size(), (statement, row) -> {
            var values = new RowValues(statement, lengths);
            TaskKey task = row.task();
            values.add(row.id());
            values.add(task.jobName());
            values.add(task.taskId());
            values.add(
                    row.origin() == Origin.FOUND_INTERRUPTED || row.origin() == Origin.CANCELLED ? "" : hostname.get());
            values.add(task.ip());
            values.add(task.item());
            values.add(source(row.trigger()));
            values.addTrace(row.failure());
            values.add(row.outcome() == HistoryOutcome.COMPLETED);
            values.add(row.started());
            values.add(row.completed());
            values.add(task.runId());
            values.add(task.scheduledTime());
            values.add(task.attempt());
            values.add(row.trigger() == null ? null : row.trigger().name());
            values.add(row.outcome().name());
            values.add(task.instance());
            values.add(row.retries());
            values.add(row.missedFirings());
            values.add(row.actor());
        });
        return IntStream.range(0, rows.size())
                .filter(index -> !to.dialect().saysWhatItInserted() || stored[0][index] != 1)
                .mapToObj(rows::get)
                .toList();
    }

    /** Of rows that were there before. */
    private void update(TraceTables to, List<ExecutionRow> rows, String condition) {
        List<ExecutionRow> ofExecutions =
                rows.stream().filter(row -> row.missedFirings() == 0).toList();
        if (ofExecutions.isEmpty()) {
            return;
        }
        String sql = "UPDATE " + EXECUTIONS + " SET failure_cause = ?, is_success = ?, complete_time = ?, outcome = ?,"
                + " retries = ? WHERE id = ?" + condition;
        int[] lengths = to.lengths(
                EXECUTIONS, List.of("failure_cause", "is_success", "complete_time", "outcome", "retries", "id"));
        jdbc.batchUpdate(sql, ofExecutions, ofExecutions.size(), (statement, row) -> {
            var values = new RowValues(statement, lengths);
            values.addTrace(row.failure());
            values.add(row.outcome() == HistoryOutcome.COMPLETED);
            values.add(row.completed());
            values.add(row.outcome().name());
            values.add(row.retries());
            values.add(row.id());
        });
    }

    private static List<ExecutionRow> of(Origin origin, List<ExecutionRow> rows) {
        return rows.stream().filter(row -> row.origin() == origin).toList();
    }

    /** What its own instance has reported of the end stays. */
    private void cancel(TraceTables to, List<ExecutionRow> rows) {
        if (rows.isEmpty()) {
            return;
        }
        String sql = "UPDATE " + EXECUTIONS + " SET failure_cause = COALESCE(failure_cause, ?), is_success = ?,"
                + " complete_time = COALESCE(complete_time, ?), outcome = ? WHERE id = ?";
        int[] lengths =
                to.lengths(EXECUTIONS, List.of("failure_cause", "is_success", "complete_time", "outcome", "id"));
        jdbc.batchUpdate(sql, rows, rows.size(), (statement, row) -> {
            var values = new RowValues(statement, lengths);
            values.addTrace(row.failure());
            values.add(false);
            values.add(row.completed());
            values.add(row.outcome().name());
            values.add(row.id());
        });
    }

    /** As Elastic-Job names it, which knows no other. */
    private static String source(@Nullable ExecutionTrigger trigger) {
        return trigger == ExecutionTrigger.MISFIRE || trigger == ExecutionTrigger.FAILOVER
                ? trigger.name()
                : "NORMAL_TRIGGER";
    }

    // ------------------------------------------------------------------ states

    private void insertStates(TraceTables to, List<StatusRow> rows) {
        if (rows.isEmpty()) {
            return;
        }
        String sql = to.dialect().insertIfAbsent(STATES, TraceTables.STATE_COLUMNS);
        int[] lengths = to.lengths(STATES, TraceTables.STATE_COLUMNS);
        jdbc.batchUpdate(sql, rows, rows.size(), (statement, row) -> {
            var values = new RowValues(statement, lengths);
            TaskKey task = row.task();
            values.add(row.id());
            values.add(task.jobName());
            values.add("");
            values.add(task.taskId());
            values.add(task.instance());
            values.add(SOURCE);
            values.add(row.trigger() == ExecutionTrigger.FAILOVER ? "FAILOVER" : "READY");
            values.add(String.valueOf(task.item()));
            values.add(row.state().name());
            values.add(row.message());
            values.add(row.at());
            values.add(row.executionId());
            values.add(task.runId());
            values.add(task.scheduledTime());
            values.add(task.attempt());
            values.add(row.trigger() == null ? null : row.trigger().name());
            values.add(row.actor());
        });
    }

    // ------------------------------------------------------------------ commands

    private void insertCommands(TraceTables to, List<CommandRow> rows) {
        if (rows.isEmpty()) {
            return;
        }
        String sql = to.dialect().insertIfAbsent(COMMANDS, TraceTables.COMMAND_COLUMNS);
        int[] lengths = to.lengths(COMMANDS, TraceTables.COMMAND_COLUMNS);
        jdbc.batchUpdate(sql, rows, rows.size(), (statement, row) -> {
            var values = new RowValues(statement, lengths);
            CommandEnded command = row.command();
            values.add(row.id());
            values.add(row.at());
            values.add(command.jobName());
            values.add(command.command());
            values.add(command.actor());
            values.add(command.reason().orElse(null));
            values.add(command.before());
            values.add(command.succeeded());
            values.add(row.outcome());
            values.add(hostname.get());
        });
    }
}
