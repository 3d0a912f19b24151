package dev.elasticjob.spring.history;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A query as SQL: what stands behind WHERE, and its named parameters. */
record HistoryCondition(String sql, Map<String, Object> parameters) {
    static HistoryCondition of(HistoryQuery query) {
        List<String> all = new ArrayList<>();
        Map<String, Object> parameters = new LinkedHashMap<>();
        all.add("scheduled_time IS NOT NULL");
        query.jobName().ifPresent(name -> {
            all.add("job_name = :job");
            parameters.put("job", name);
        });
        query.item().ifPresent(item -> {
            all.add("sharding_item = :item");
            parameters.put("item", item);
        });
        query.runId().ifPresent(id -> all.add(run(id, parameters)));
        if (!query.outcomes().isEmpty()) {
            all.add("outcome IN (:outcomes)");
            parameters.put(
                    "outcomes",
                    query.outcomes().stream().map(Enum::name).sorted().toList());
        }
        query.from().ifPresent(from -> {
            all.add("scheduled_time >= :from");
            parameters.put("from", utc(from));
        });
        query.until().ifPresent(until -> {
            all.add("scheduled_time < :until");
            parameters.put("until", utc(until));
        });
        query.after().ifPresent(after -> {
            all.add("(scheduled_time < :time OR (scheduled_time = :time AND id < :id))");
            parameters.put("time", utc(after.time()));
            parameters.put("id", after.id());
        });
        return new HistoryCondition(String.join(" AND ", all), parameters);
    }

    /** The id of a request is perhaps one of several in a row, joined by commas. */
    private static String run(String id, Map<String, Object> parameters) {
        parameters.put("run", id);
        if (id.contains("@")) {
            return "run_id = :run";
        }
        String literal = id.replace("!", "!!").replace("%", "!%").replace("_", "!_");
        parameters.put("first", literal + ",%");
        parameters.put("between", "%," + literal + ",%");
        parameters.put("last", "%," + literal);
        return "(run_id = :run OR run_id LIKE :first ESCAPE '!' OR run_id LIKE :between ESCAPE '!'"
                + " OR run_id LIKE :last ESCAPE '!')";
    }

    /** As all times are stored. */
    static LocalDateTime utc(Instant time) {
        return LocalDateTime.ofInstant(time, ZoneOffset.UTC);
    }
}
