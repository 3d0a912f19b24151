package dev.elasticjob.spring.history;

import dev.elasticjob.job.event.ExecutionTrigger;
import dev.elasticjob.spring.history.RunGrid.Cell;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads the tables of the event trace. Old rows of Elastic-Job's, which have no scheduled time, are not shown. */
public final class JdbcJobHistory implements JobHistory {
    private static final String COLUMNS =
            "id, job_name, sharding_item, run_id, scheduled_time, attempt, run_trigger, actor,"
                    + " instance, hostname, start_time, complete_time, outcome, retries, missed_firings";

    private final JdbcClient jdbc;
    private final TimeLimit time;

    /**
     * @param jdbc on the database of the trace
     * @param threads on which questions run; refuse a task rather than queue it
     * @param timeout for each question
     */
    public JdbcJobHistory(JdbcOperations jdbc, Executor threads, Duration timeout) {
        this.jdbc = JdbcClient.create(jdbc);
        this.time = new TimeLimit(threads, timeout);
    }

    @Override
    public HistoryPage executions(HistoryQuery query) {
        HistoryCondition condition = HistoryCondition.of(query);
        List<HistoryEntry> found = time.ask(() -> jdbc.sql("SELECT " + COLUMNS + ", SUBSTRING(failure_cause, 1, "
                        + HistoryEntry.HEAD + ") AS failure_cause FROM JOB_EXECUTION_LOG WHERE " + condition.sql()
                        + " ORDER BY scheduled_time DESC, id DESC LIMIT " + (query.limit() + 1))
                .params(condition.parameters())
                .query(JdbcJobHistory::entry)
                .list());
        if (found.size() <= query.limit()) {
            return new HistoryPage(found, Optional.empty());
        }
        List<HistoryEntry> page = found.subList(0, query.limit());
        HistoryEntry last = page.get(page.size() - 1);
        return new HistoryPage(page, Optional.of(new HistoryCursor(last.scheduledTime(), last.id())));
    }

    @Override
    public Optional<HistoryEntry> execution(String id) {
        return time.ask(() -> jdbc.sql("SELECT " + COLUMNS
                        + ", failure_cause FROM JOB_EXECUTION_LOG WHERE id = :id AND scheduled_time IS NOT NULL")
                .param("id", id)
                .query(JdbcJobHistory::entry)
                .optional());
    }

    @Override
    public List<StatusEntry> steps(String executionId) {
        return time.ask(() -> jdbc.sql("SELECT creation_time, state, message FROM JOB_STATUS_TRACE_LOG"
                        + " WHERE execution_id = :id ORDER BY creation_time, state DESC")
                .param("id", executionId)
                .query((row, number) -> new StatusEntry(
                        time(row, "creation_time").orElse(Instant.EPOCH),
                        row.getString("state"),
                        text(row, "message").orElse("")))
                .list());
    }

    @Override
    public CommandPage commands(CommandQuery query) {
        return time.ask(() -> new JdbcCommands(jdbc).find(query));
    }

    @Override
    public RunGrid runs(String jobName, int runs, Optional<HistoryCursor> before) {
        if (runs < 1 || runs > RunGrid.MOST_RUNS) {
            throw new IllegalArgumentException("Expected 1 to %d runs, but was %d".formatted(RunGrid.MOST_RUNS, runs));
        }
        return time.ask(() -> {
            List<LocalDateTime> times = latestTimes(jobName, runs + 1, before);
            if (times.isEmpty()) {
                return new RunGrid(jobName, List.of(), Optional.empty());
            }
            List<LocalDateTime> shown = times.subList(0, Math.min(runs, times.size()));
            List<RunGrid.Run> found = runsOf(entries(jobName, shown)).stream()
                    .filter(run -> before.map(cursor -> run.scheduledTime().isBefore(cursor.time()))
                            .orElse(true))
                    .toList();
            return new RunGrid(jobName, found, times.size() > runs ? Optional.of(end(shown)) : Optional.empty());
        });
    }

    @Override
    public SortedMap<String, List<RunSummary>> latest(Collection<String> jobNames, int runs) {
        if (runs < 1 || runs > RunSummary.MOST_RUNS || jobNames.size() > RunSummary.MOST_JOBS) {
            throw new IllegalArgumentException("Expected 1 to %d runs of at most %d jobs, but was %d runs of %d jobs"
                    .formatted(RunSummary.MOST_RUNS, RunSummary.MOST_JOBS, runs, jobNames.size()));
        }
        List<String> jobs = jobNames.stream().distinct().toList();
        return jobs.isEmpty() ? new TreeMap<>() : time.ask(() -> new JdbcRunSummaries(jdbc).latest(jobs, runs));
    }

    private static HistoryCursor end(List<LocalDateTime> shown) {
        return new HistoryCursor(shown.get(shown.size() - 1).toInstant(ZoneOffset.UTC), "");
    }

    private List<LocalDateTime> latestTimes(String jobName, int limit, Optional<HistoryCursor> before) {
        String bound = before.isPresent() ? " AND scheduled_time < :before" : " AND scheduled_time IS NOT NULL";
        JdbcClient.StatementSpec statement = jdbc.sql(
                        "SELECT DISTINCT scheduled_time FROM JOB_EXECUTION_LOG WHERE job_name = :job" + bound
                                + " ORDER BY scheduled_time DESC LIMIT " + limit)
                .param("job", jobName);
        before.ifPresent(cursor -> statement.param("before", HistoryCondition.utc(cursor.time())));
        return statement
                .query((row, number) -> row.getObject("scheduled_time", LocalDateTime.class))
                .list();
    }

    /** Of all runs that have an entry at one of the times: the items of a manual run may differ in theirs. */
    private List<HistoryEntry> entries(String jobName, List<LocalDateTime> times) {
        return jdbc.sql("SELECT " + COLUMNS + ", '' AS failure_cause FROM JOB_EXECUTION_LOG WHERE job_name = :job"
                        + " AND run_id IN (SELECT DISTINCT run_id FROM JOB_EXECUTION_LOG WHERE job_name = :job"
                        + " AND scheduled_time BETWEEN :first AND :last) ORDER BY sharding_item, attempt, id")
                .param("job", jobName)
                .param("first", times.get(times.size() - 1))
                .param("last", times.get(0))
                .query(JdbcJobHistory::entry)
                .list();
    }

    private static List<RunGrid.Run> runsOf(List<HistoryEntry> entries) {
        Map<String, List<HistoryEntry>> byRun = new LinkedHashMap<>();
        entries.forEach(entry ->
                byRun.computeIfAbsent(entry.runId(), run -> new ArrayList<>()).add(entry));
        return byRun.entrySet().stream()
                .map(run -> run(run.getKey(), run.getValue()))
                .sorted((one, other) -> other.scheduledTime().compareTo(one.scheduledTime()))
                .toList();
    }

    private static RunGrid.Run run(String runId, List<HistoryEntry> entries) {
        Map<Integer, List<Cell>> cells = new LinkedHashMap<>();
        Instant latest = entries.get(0).scheduledTime();
        for (HistoryEntry entry : entries) {
            latest = entry.scheduledTime().isAfter(latest) ? entry.scheduledTime() : latest;
            if (entry.item() == HistoryEntry.ALL_ITEMS) {
                continue;
            }
            cells.computeIfAbsent(entry.item(), item -> new ArrayList<>())
                    .add(new Cell(
                            entry.id(),
                            entry.outcome(),
                            entry.attempt(),
                            entry.instance(),
                            entry.startTime(),
                            entry.completeTime(),
                            entry.missedFirings()));
        }
        return new RunGrid.Run(runId, latest, cells);
    }

    private static HistoryEntry entry(ResultSet row, int number) throws SQLException {
        return new HistoryEntry(
                row.getString("id"),
                row.getString("job_name"),
                row.getInt("sharding_item"),
                text(row, "run_id").orElse(""),
                time(row, "scheduled_time").orElse(Instant.EPOCH),
                row.getInt("attempt"),
                text(row, "run_trigger").flatMap(name -> named(ExecutionTrigger.values(), name)),
                text(row, "actor"),
                text(row, "instance"),
                text(row, "hostname"),
                time(row, "start_time"),
                time(row, "complete_time"),
                text(row, "outcome")
                        .flatMap(name -> named(HistoryOutcome.values(), name))
                        .orElse(HistoryOutcome.RUNNING),
                row.getInt("retries"),
                row.getInt("missed_firings"),
                text(row, "failure_cause"));
    }

    /** Empty for one that a later release has written. */
    private static <E extends Enum<E>> Optional<E> named(E[] values, String name) {
        return Arrays.stream(values).filter(value -> value.name().equals(name)).findFirst();
    }

    private static Optional<String> text(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getString(column)).filter(found -> !found.isEmpty());
    }

    static Optional<Instant> time(ResultSet row, String column) throws SQLException {
        @Nullable LocalDateTime found = row.getObject(column, LocalDateTime.class);
        return Optional.ofNullable(found).map(utc -> utc.toInstant(ZoneOffset.UTC));
    }
}
