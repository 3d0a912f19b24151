package dev.elasticjob.spring.history;

import dev.elasticjob.job.event.JobEvent.CommandEnded;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads the table of commands. Waits for the database. */
record JdbcCommands(JdbcClient jdbc) {
    private static final String COLUMNS =
            "id, ended_time, job_name, command, actor, reason, state_before, is_success, outcome, hostname";

    CommandPage find(CommandQuery query) {
        Map<String, Object> parameters = new LinkedHashMap<>();
        List<CommandEntry> found = jdbc.sql("SELECT " + COLUMNS + " FROM JOB_COMMAND_LOG WHERE "
                        + condition(query, parameters) + " ORDER BY ended_time DESC, id DESC LIMIT "
                        + (query.limit() + 1))
                .params(parameters)
                .query(JdbcCommands::entry)
                .list();
        if (found.size() <= query.limit()) {
            return new CommandPage(found, Optional.empty());
        }
        List<CommandEntry> page = found.subList(0, query.limit());
        CommandEntry last = page.get(page.size() - 1);
        return new CommandPage(page, Optional.of(new HistoryCursor(last.at(), last.id())));
    }

    private static String condition(CommandQuery query, Map<String, Object> parameters) {
        List<String> all = new ArrayList<>();
        all.add("id IS NOT NULL");
        query.jobName().ifPresent(name -> {
            all.add("job_name IN (:jobs)");
            parameters.put("jobs", List.of(name, CommandEnded.ALL_JOBS));
        });
        query.actor().ifPresent(name -> {
            all.add("actor = :actor");
            parameters.put("actor", name);
        });
        if (query.refusedOnly()) {
            all.add("is_success = :success");
            parameters.put("success", false);
        }
        query.after().ifPresent(after -> {
            all.add("(ended_time < :time OR (ended_time = :time AND id < :id))");
            parameters.put("time", HistoryCondition.utc(after.time()));
            parameters.put("id", after.id());
        });
        return String.join(" AND ", all);
    }

    private static CommandEntry entry(ResultSet row, int number) throws SQLException {
        return new CommandEntry(
                row.getString("id"),
                row.getObject("ended_time", LocalDateTime.class).toInstant(ZoneOffset.UTC),
                row.getString("job_name"),
                row.getString("command"),
                row.getString("actor"),
                text(row, "reason"),
                text(row, "state_before").orElse(""),
                row.getBoolean("is_success"),
                text(row, "outcome").orElse(""),
                row.getString("hostname"));
    }

    private static Optional<String> text(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getString(column)).filter(found -> !found.isEmpty());
    }
}
