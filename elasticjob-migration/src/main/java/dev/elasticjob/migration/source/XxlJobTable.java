package dev.elasticjob.migration.source;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The rows of XXL-JOB's table {@code xxl_job_info}, as {@code mysql --batch} prints them: a line with the columns' names, then
 * one for each row, with tabs between the values.
 *
 * <p>Each becomes a job with the columns as settings, named by its handler, or by handler and id if several rows share it. The
 * jobs that start a job (its parents' {@code child_jobid}) are its setting {@code parents}.
 */
final class XxlJobTable {
    private static final String HANDLER = "executor_handler";
    private static final String NULL = "NULL";
    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");
    private static final List<String> NEEDED = List.of("id", HANDLER, "schedule_type", "schedule_conf");

    /** What says nothing about how the job runs. */
    private static final Set<String> OF_THE_TABLE = Set.of(
            "id",
            "job_group",
            "add_time",
            "update_time",
            "glue_remark",
            "glue_updatetime",
            "trigger_last_time",
            "trigger_next_time",
            "child_jobid");

    private final String file;
    private final List<Row> rows = new ArrayList<>();

    private XxlJobTable(String file) {
        this.file = file;
    }

    private record Row(int line, Map<String, String> values) {
        String value(String column) {
            return values.getOrDefault(column, "");
        }
    }

    static boolean isTable(String text) {
        return text.lines().findFirst().filter(XxlJobTable::isHeader).isPresent();
    }

    private static boolean isHeader(String line) {
        return List.of(line.split("\t", -1)).containsAll(NEEDED);
    }

    /** @throws UnreadableSourceException if a line has more or fewer values than there are columns */
    static SourceDocument read(String file, String text) {
        return new XxlJobTable(file).document(text.lines().toList());
    }

    private SourceDocument document(List<String> lines) {
        String[] columns = lines.get(0).split("\t", -1);
        for (int line = 1; line < lines.size(); line++) {
            if (!lines.get(line).isBlank()) {
                rows.add(row(columns, line + 1, lines.get(line)));
            }
        }
        Map<String, Long> byHandler =
                rows.stream().collect(Collectors.groupingBy(row -> row.value(HANDLER), Collectors.counting()));
        Map<String, String> names = new HashMap<>();
        rows.forEach(row -> names.put(row.value("id"), name(row, byHandler)));
        var document = new DocumentBuilder(SourceFiles.DEFAULT_OUTPUT, Optional.empty());
        rows.forEach(row -> document.add(job(row, names)));
        if (!rows.isEmpty()) {
            document.remark(
                    SourceLocation.of(file),
                    "schedules counted by the clock of the XXL-JOB server: set time-zone to its zone. A method reads its"
                            + " parameter with getJobParameter() of a ShardingContext that it takes, and getShardingItem()"
                            + " takes the place of XxlJobHelper.getShardIndex(). Stop the triggers there first");
        }
        return document.build();
    }

    private Row row(String[] columns, int line, String text) {
        String[] values = text.split("\t", -1);
        if (values.length != columns.length) {
            throw new UnreadableSourceException(
                    new SourceLocation(file, line),
                    "expected %d values with tabs between them, as many as there are columns, but there are %d"
                            .formatted(columns.length, values.length));
        }
        Map<String, String> byColumn = IntStream.range(0, columns.length)
                .boxed()
                .collect(Collectors.toMap(
                        at -> columns[at], at -> values[at].equals(NULL) ? "" : unescaped(values[at])));
        return new Row(line, byColumn);
    }

    /** What mysql writes in batch mode. */
    private static String unescaped(String value) {
        return ESCAPED.matcher(value)
                .replaceAll(escaped -> Matcher.quoteReplacement(
                        switch (escaped.group(1)) {
                            case "n" -> "\n";
                            case "t" -> "\t";
                            case "0" -> "\0";
                            default -> escaped.group(1);
                        }));
    }

    private static String name(Row row, Map<String, Long> byHandler) {
        String handler = row.value(HANDLER);
        if (handler.isEmpty()) {
            return "xxl-job-" + row.value("id");
        }
        return byHandler.getOrDefault(handler, 1L) == 1 ? handler : handler + "-" + row.value("id");
    }

    private SourceJob job(Row row, Map<String, String> names) {
        var place = new SourceLocation(file, row.line());
        List<SourceSetting> settings = new ArrayList<>();
        row.values().keySet().stream()
                .filter(column -> !OF_THE_TABLE.contains(column))
                .sorted()
                .map(column -> new SourceSetting(column, row.value(column), place))
                .forEach(settings::add);
        if (!row.value(HANDLER).isEmpty()) {
            settings.add(
                    0,
                    new SourceSetting("class", "the method with @XxlJob(\"%s\")".formatted(row.value(HANDLER)), place));
        }
        String parents = rows.stream()
                .filter(parent -> children(parent).contains(row.value("id")))
                .map(parent -> String.valueOf(names.get(parent.value("id"))))
                .collect(Collectors.joining(","));
        if (!parents.isEmpty()) {
            settings.add(new SourceSetting("parents", parents, place));
        }
        return new SourceJob(String.valueOf(names.get(row.value("id"))), Dialect.XXL_JOB, place, settings);
    }

    private static List<String> children(Row row) {
        return Arrays.stream(row.value("child_jobid").split(","))
                .map(String::strip)
                .toList();
    }
}
