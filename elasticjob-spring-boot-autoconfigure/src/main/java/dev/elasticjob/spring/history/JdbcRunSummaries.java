package dev.elasticjob.spring.history;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Summarizes the latest runs of several jobs in two statements, whatever the number of jobs: each reads the latest entries of a
 * job by their index, so its cost grows with the items of these runs, not with the length of the history.
 */
final class JdbcRunSummaries {
    /** The first that an item has is that of the run. */
    private static final List<HistoryOutcome> WORST_FIRST = List.of(
            HistoryOutcome.RUNNING,
            HistoryOutcome.FAILED,
            HistoryOutcome.TIMEOUT,
            HistoryOutcome.INTERRUPTED,
            HistoryOutcome.LOST,
            HistoryOutcome.CANCELLED,
            HistoryOutcome.DROPPED,
            HistoryOutcome.FOLDED,
            HistoryOutcome.SKIPPED,
            HistoryOutcome.COMPLETED,
            HistoryOutcome.OVERDUE);

    private static final String OUTCOME = "COALESCE(outcome, '%s')".formatted(HistoryOutcome.RUNNING);

    private final JdbcClient jdbc;

    JdbcRunSummaries(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Jobs without runs are missing. */
    SortedMap<String, List<RunSummary>> latest(List<String> jobs, int runs) {
        SortedMap<String, List<RunSummary>> found = new TreeMap<>();
        Map<String, LocalDateTime> earliest = earliest(jobs, runs);
        if (earliest.isEmpty()) {
            return found;
        }
        List<Map.Entry<String, LocalDateTime>> asked = List.copyOf(earliest.entrySet());
        // Databases may forget the order of a part of a union, and MariaDB does.
        JdbcClient.StatementSpec statement =
                jdbc.sql(union(asked.size(), JdbcRunSummaries::summary) + " ORDER BY latest DESC");
        for (int place = 0; place < asked.size(); place++) {
            statement = statement
                    .param("job" + place, asked.get(place).getKey())
                    .param("from" + place, asked.get(place).getValue());
        }
        statement.query((ResultSet row) -> {
            List<RunSummary> of = found.computeIfAbsent(row.getString("job_name"), any -> new ArrayList<>());
            if (of.size() < runs) {
                of.add(summary(row));
            }
        });
        return found;
    }

    /** The scheduled times of the earliest runs to show. */
    private Map<String, LocalDateTime> earliest(List<String> jobs, int runs) {
        JdbcClient.StatementSpec statement = jdbc.sql(union(
                jobs.size(),
                place -> "SELECT DISTINCT job_name, scheduled_time FROM JOB_EXECUTION_LOG WHERE job_name = :job" + place
                        + " AND scheduled_time IS NOT NULL ORDER BY scheduled_time DESC LIMIT " + runs));
        for (int place = 0; place < jobs.size(); place++) {
            statement = statement.param("job" + place, jobs.get(place));
        }
        Map<String, LocalDateTime> earliest = new TreeMap<>();
        statement.query((ResultSet row) -> {
            earliest.merge(
                    row.getString("job_name"),
                    row.getObject("scheduled_time", LocalDateTime.class),
                    (one, other) -> one.isBefore(other) ? one : other);
        });
        return earliest;
    }

    private static String union(int count, IntFunction<String> select) {
        return IntStream.range(0, count)
                .mapToObj(place -> "(" + select.apply(place) + ")")
                .collect(Collectors.joining(" UNION ALL "));
    }

    private static String summary(int place) {
        String items = "COUNT(DISTINCT CASE WHEN sharding_item <> " + HistoryEntry.ALL_ITEMS
                + " %sTHEN sharding_item END) AS %s";
        String outcomes = Stream.of(HistoryOutcome.values())
                .map(one -> "MAX(CASE WHEN %s = '%s' THEN 1 ELSE 0 END) AS is_%s".formatted(OUTCOME, one, one))
                .collect(Collectors.joining(", "));
        return "SELECT job_name, run_id, MAX(scheduled_time) AS latest, MIN(start_time) AS started,"
                + " MAX(complete_time) AS ended, " + items.formatted("", "items") + ", "
                + items.formatted("AND outcome = '%s' ".formatted(HistoryOutcome.COMPLETED), "completed") + ", "
                + outcomes + " FROM JOB_EXECUTION_LOG WHERE job_name = :job" + place + " AND scheduled_time >= :from"
                + place + " GROUP BY job_name, run_id";
    }

    private static RunSummary summary(ResultSet row) throws SQLException {
        int items = row.getInt("items");
        int completed = row.getInt("completed");
        return new RunSummary(
                Optional.ofNullable(row.getString("run_id")).orElse(""),
                JdbcJobHistory.time(row, "latest").orElse(Instant.EPOCH),
                outcome(row, items, completed),
                items,
                completed,
                JdbcJobHistory.time(row, "started"),
                JdbcJobHistory.time(row, "ended"));
    }

    private static HistoryOutcome outcome(ResultSet row, int items, int completed) throws SQLException {
        if (items > 0 && items == completed) {
            return HistoryOutcome.COMPLETED;
        }
        for (HistoryOutcome outcome : WORST_FIRST) {
            if (row.getInt("is_" + outcome) > 0) {
                return outcome;
            }
        }
        return HistoryOutcome.RUNNING;
    }
}
