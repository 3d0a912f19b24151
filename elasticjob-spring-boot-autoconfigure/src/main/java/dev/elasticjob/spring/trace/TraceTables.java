package dev.elasticjob.spring.trace;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSetMetaData;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.ResultSetExtractor;

/**
 * The tables as they are in the database, where they may be older than ours: Elastic-Job's lack columns, and some columns
 * are shorter.
 *
 * @param dialect of the database
 * @param lengths of the columns of text, in characters, by "TABLE.column"
 */
record TraceTables(TraceDialect dialect, Map<String, Integer> lengths) {
    static final String EXECUTIONS = "JOB_EXECUTION_LOG";
    static final String STATES = "JOB_STATUS_TRACE_LOG";
    static final String COMMANDS = "JOB_COMMAND_LOG";
    static final String LEASES = "JOB_TRACE_LEASE";
    static final List<String> EXECUTION_COLUMNS = List.of(
            "id",
            "job_name",
            "task_id",
            "hostname",
            "ip",
            "sharding_item",
            "execution_source",
            "failure_cause",
            "is_success",
            "start_time",
            "complete_time",
            "run_id",
            "scheduled_time",
            "attempt",
            "run_trigger",
            "outcome",
            "instance",
            "retries",
            "missed_firings",
            "actor");
    static final List<String> STATE_COLUMNS = List.of(
            "id",
            "job_name",
            "original_task_id",
            "task_id",
            "slave_id",
            "source",
            "execution_type",
            "sharding_item",
            "state",
            "message",
            "creation_time",
            "execution_id",
            "run_id",
            "scheduled_time",
            "attempt",
            "run_trigger",
            "actor");
    static final List<String> COMMAND_COLUMNS = List.of(
            "id",
            "ended_time",
            "job_name",
            "command",
            "actor",
            "reason",
            "state_before",
            "is_success",
            "outcome",
            "hostname");
    private static final List<String> LEASE_COLUMNS = List.of("name", "holder", "lease_until");
    private static final String UPGRADE = "dev/elasticjob/spring/trace/upgrade-elastic-job-%s.sql";

    /** Of one text, whatever the column holds: 64 KB, in the longest encoding. */
    private static final int MOST_CHARACTERS = 16_000;

    private static final String FAILURE = "failure_cause";
    /** Of a stack trace, whatever the column holds. */
    private static final int MOST_BYTES_OF_FAILURE = 64 * 1024;

    private static final String LEFT_OUT = "\n… %d characters are left out here …\n";

    /**
     * Looks at the tables.
     *
     * @throws FailureAnalyzedException when the database is none that we know, or the tables are not as they should be
     * @throws DataAccessException when the database can't be asked
     */
    static TraceTables read(JdbcOperations jdbc) {
        Product product = Product.of(jdbc);
        Map<String, Integer> lengths = new HashMap<>();
        lengths.putAll(columns(jdbc, product, EXECUTIONS, EXECUTION_COLUMNS));
        lengths.putAll(columns(jdbc, product, STATES, STATE_COLUMNS));
        lengths.putAll(columns(jdbc, product, COMMANDS, COMMAND_COLUMNS));
        columns(jdbc, product, LEASES, LEASE_COLUMNS);
        return new TraceTables(product.dialect(), lengths);
    }

    /** Refuses to create what is missing beside tables of Elastic-Job's: an index on a column that isn't there fails. */
    static void checkPresent(JdbcOperations jdbc) {
        Product product = Product.of(jdbc);
        if (isThere(jdbc, EXECUTIONS)) {
            columns(jdbc, product, EXECUTIONS, EXECUTION_COLUMNS);
        }
        if (isThere(jdbc, STATES)) {
            columns(jdbc, product, STATES, STATE_COLUMNS);
        }
    }

    static boolean isThere(JdbcOperations jdbc, String table) {
        try {
            jdbc.queryForList("SELECT 1 FROM " + table + " WHERE 1 = 0");
            return true;
        } catch (BadSqlGrammarException e) {
            return false;
        }
    }

    /**
     * Which database it is.
     *
     * @param id as the scripts for it are named
     */
    private record Product(TraceDialect dialect, String id) {
        static Product of(JdbcOperations jdbc) {
            String name = String.valueOf(jdbc.execute(
                    (Connection connection) -> connection.getMetaData().getDatabaseProductName()));
            return TraceDialect.of(name)
                    .map(dialect -> new Product(
                            dialect, DatabaseDriver.fromProductName(name).getId()))
                    .orElseThrow(() -> new FailureAnalyzedException(
                            "The event trace expects H2, PostgreSQL, MySQL or MariaDB, but its DataSource is on \"%s\"."
                                    .formatted(name),
                            "Set \"elasticjob.tracing.datasource\" to the name of a DataSource bean on one of them, or"
                                    + " remove \"elasticjob.tracing.enabled\"."));
        }
    }

    private static Map<String, Integer> columns(
            JdbcOperations jdbc, Product product, String table, List<String> wanted) {
        Map<String, Integer> found;
        try {
            found = lengths(jdbc, table);
        } catch (BadSqlGrammarException e) {
            throw new FailureAnalyzedException(
                    "The event trace expects the table \"%s\", but it does not exist: %s"
                            .formatted(table, e.getMostSpecificCause().getMessage()),
                    ("Set \"elasticjob.tracing.initialize-schema\" to \"always\", or create the tables with the script"
                                    + " dev/elasticjob/spring/trace/schema-%s.sql of the jar.")
                            .formatted(product.id()),
                    e);
        }
        List<String> missing = new ArrayList<>();
        for (String column : wanted) {
            if (!found.containsKey(table + "." + column)) {
                missing.add(column);
            }
        }
        if (!missing.isEmpty()) {
            throw new FailureAnalyzedException(
                    "The table \"%s\" lacks the columns %s, which the event trace needs.".formatted(table, missing),
                    ("If it is Elastic-Job's, run the script %s of the jar once. It keeps the rows, and Elastic-Job can"
                                    + " still write to the tables. Otherwise, remove the table and set"
                                    + " \"elasticjob.tracing.initialize-schema\" to \"always\".")
                            .formatted(UPGRADE.formatted(product.id())));
        }
        return found;
    }

    private static Map<String, Integer> lengths(JdbcOperations jdbc, String table) {
        ResultSetExtractor<Map<String, Integer>> columns = rows -> {
            ResultSetMetaData meta = rows.getMetaData();
            Map<String, Integer> lengths = new HashMap<>();
            for (int column = 1; column <= meta.getColumnCount(); column++) {
                String name = meta.getColumnName(column).toLowerCase(Locale.ROOT);
                int length = meta.getPrecision(column);
                lengths.put(table + "." + name, length <= 0 ? Integer.MAX_VALUE : length);
            }
            return lengths;
        };
        Map<String, Integer> found = jdbc.query("SELECT * FROM " + table + " WHERE 1 = 0", columns);
        return found == null ? Map.of() : found;
    }

    /** How many characters each of the columns holds. */
    int[] lengths(String table, List<String> columns) {
        return columns.stream()
                .mapToInt(column -> Math.min(
                        lengths.getOrDefault(table + "." + column, Integer.MAX_VALUE),
                        column.equals(FAILURE) ? MOST_BYTES_OF_FAILURE : MOST_CHARACTERS))
                .toArray();
    }

    /** The text, cut to what its column holds, without the character that no PostgreSQL stores. */
    static String fit(String text, int length) {
        String clean = clean(text);
        if (clean.length() <= length) {
            return clean;
        }
        int end = Character.isHighSurrogate(clean.charAt(length - 2)) ? length - 2 : length - 1;
        return clean.substring(0, end) + "…";
    }

    private static String clean(String text) {
        return text.indexOf('\0') < 0 ? text : text.replace("\0", "");
    }

    /**
     * A stack trace, cut to what its column holds, and to 64 KB: in the middle, because what has failed stands at its head,
     * and the first cause at its end.
     */
    static String fitTrace(String trace, int length) {
        String cut = cutInside(clean(trace), length);
        int kept = length;
        while (cut.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES_OF_FAILURE) {
            kept = Math.min(kept, cut.length()) * 9 / 10;
            cut = cutInside(clean(trace), kept);
        }
        return cut;
    }

    private static String cutInside(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        int room = length - LEFT_OUT.formatted(text.length()).length();
        if (room <= 0) {
            return fit(text, length);
        }
        int head = room * 2 / 3;
        int tail = text.length() - (room - head);
        head = Character.isHighSurrogate(text.charAt(head - 1)) ? head - 1 : head;
        tail = Character.isLowSurrogate(text.charAt(tail)) ? tail + 1 : tail;
        return text.substring(0, head) + LEFT_OUT.formatted(tail - head) + text.substring(tail);
    }
}
