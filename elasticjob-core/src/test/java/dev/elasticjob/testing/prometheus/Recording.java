package dev.elasticjob.testing.prometheus;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What Prometheus stores of an application's instances that it scrapes at regular intervals, and which alerts fire on that.
 * Of the series, those that the rules ask for are kept. For one thread.
 */
public final class Recording {
    public static final Duration INTERVAL = Duration.ofSeconds(15);

    private static final Pattern METRIC = Pattern.compile("elasticjob_\\w+");
    private static final String ABSENT = "_";
    private static final String STALE = "stale";

    private final Path rules;
    private final Set<String> metrics;
    private final Map<String, List<String>> series = new LinkedHashMap<>();
    private int scrapes;

    public Recording(Path rules) {
        this.rules = rules.toAbsolutePath().normalize();
        try {
            metrics = METRIC.matcher(Files.readString(rules))
                    .results()
                    .map(match -> match.group())
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * An alert that fires at any time.
     *
     * @param of the job or the instance that it names; empty if it names none
     */
    public record Alert(String name, String of) {
        private String labels() {
            return "{alertname=\"%s\"%s}".formatted(name, of.isEmpty() ? "" : ", of=\"" + of + "\"");
        }
    }

    /** One scrape of each instance that is there, by its address: what it exports. */
    public void scrape(Map<String, String> exported) {
        exported.forEach((instance, text) -> Series.of(text, instance).stream()
                .filter(each -> metrics.contains(each.name()))
                .forEach(each -> values(each.text()).add(number(each.value()))));
        scrapes++;
        series.values().stream()
                .filter(values -> values.size() < scrapes)
                .forEach(values -> values.add(isAbsent(values) ? ABSENT : STALE));
    }

    private List<String> values(String name) {
        return series.computeIfAbsent(name, any -> new ArrayList<>(Collections.nCopies(scrapes, ABSENT)));
    }

    private static boolean isAbsent(List<String> values) {
        String last = values.get(values.size() - 1);
        return last.equals(STALE) || last.equals(ABSENT);
    }

    private static String number(String value) {
        return value.equals("NaN") ? value : new BigDecimal(value).toPlainString();
    }

    /**
     * What promtool has against it that these alerts fired at some time of the recording, and no others; empty if it is so.
     * Otherwise, the file that it names has all samples, and stays.
     */
    public Optional<String> complaint(Promtool promtool, Set<Alert> fired) {
        try {
            Path test = Files.createTempFile("recording", "-test.yml");
            Files.writeString(test, test(fired));
            Optional<String> complaint = promtool.complaint("test", "rules", test.toString());
            if (complaint.isEmpty()) {
                Files.delete(test);
            }
            return complaint;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String test(Set<Alert> fired) {
        long seconds = INTERVAL.toSeconds() * (scrapes - 1);
        String input = series.entrySet().stream()
                .map(each -> "      - series: '%s'\n        values: '%s'\n"
                        .formatted(each.getKey(), String.join(" ", each.getValue())))
                .collect(Collectors.joining());
        String samples = fired.stream()
                .map(alert -> "          - labels: '%s'\n            value: 1\n".formatted(alert.labels()))
                .collect(Collectors.joining());
        return """
                rule_files: ['%1$s']
                evaluation_interval: %2$ds
                tests:
                  - interval: %2$ds
                    input_series:
                %3$s    promql_expr_test:
                      - expr: 'group by (alertname, of) (label_join(max_over_time(ALERTS{alertstate="firing"}[%4$ds]), "of", "", "exported_job", "instance"))'
                        eval_time: %4$ds
                        exp_samples:%5$s
                """.formatted(rules, INTERVAL.toSeconds(), input, seconds, samples.isEmpty() ? " []" : "\n" + samples);
    }
}
