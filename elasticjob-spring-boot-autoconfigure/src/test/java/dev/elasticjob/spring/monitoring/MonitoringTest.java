package dev.elasticjob.spring.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.boot.json.JsonParserFactory;
import org.yaml.snakeyaml.Yaml;

/**
 * The dashboard and the alert rules, against a scrape of a running application. With promtool, each expression is
 * evaluated on the series of the scrape; without it, only the names of its metrics and labels are compared with them. {@code
 * target/promtool.txt} says which of the two was done.
 */
class MonitoringTest {
    private static final Path PAGES = Path.of("..", "docs", "monitoring");
    private static final Path RULES = PAGES.resolve("alerts.yml");
    private static final Pattern SELECTOR = Pattern.compile("(elasticjob_\\w+)(?:\\{([^}]*)})?");
    private static final Optional<Promtool> PROMTOOL = Promtool.find();

    private static List<Series> series = List.of();

    @BeforeAll
    static void scrape() throws IOException {
        String scrape = ScrapedApplication.scrape();
        Files.writeString(Path.of("target", "scrape.txt"), scrape);
        series = Series.of(scrape);
        String kind = PROMTOOL.map(tool -> "expressions were evaluated by promtool: " + tool.program())
                .orElse("there is no promtool: expressions were not evaluated, only their names were compared");
        Files.writeString(Path.of("target", "promtool.txt"), kind + "\n");
    }

    static boolean hasPromtool() {
        return PROMTOOL.isPresent();
    }

    @Test
    void eachMetricAndLabelOfAnExpressionIsInTheScrape() throws IOException {
        assertThat(expressions()).hasSizeGreaterThan(25).allSatisfy(expression -> {
            List<String> names = SELECTOR.matcher(expression)
                    .results()
                    .map(selector -> selector.group(1))
                    .toList();
            assertThat(names).as(expression).isNotEmpty();
            assertThat(series).extracting(Series::name).as(expression).containsAll(names);
            SELECTOR.matcher(expression)
                    .results()
                    .filter(selector -> selector.group(2) != null)
                    .forEach(selector -> assertThat(labelsOf(selector.group(1)))
                            .as(expression)
                            .containsAll(Series.labelNames(selector.group(2))));
        });
    }

    private static TreeSet<String> labelsOf(String name) {
        return series.stream()
                .filter(each -> each.name().equals(name))
                .flatMap(each -> each.labelNames().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    @EnabledIf("hasPromtool")
    void eachExpressionIsEvaluatedOnTheSeriesOfTheScrape() throws IOException {
        Path test = Path.of("target", "expressions-test.yml").toAbsolutePath();
        Files.writeString(test, evaluation());

        assertThat(PROMTOOL.orElseThrow().complaint("test", "rules", test.toString()))
                .isEmpty();
    }

    @Test
    @EnabledIf("hasPromtool")
    void theRulesAreValid() {
        assertThat(PROMTOOL.orElseThrow().complaint("check", "rules", "--lint-fatal", RULES.toString()))
                .isEmpty();
    }

    @Test
    @EnabledIf("hasPromtool")
    void eachAlertFiresWhenItShouldAndNotBefore() {
        assertThat(PROMTOOL.orElseThrow()
                        .complaint(
                                "test",
                                "rules",
                                PAGES.resolve("alerts-test.yml").toString()))
                .isEmpty();
    }

    @Test
    void eachAlertHasATestOfItsOwnOnSeriesOfTheScrape() throws IOException {
        String tests = Files.readString(PAGES.resolve("alerts-test.yml"));
        List<String> metrics = Pattern.compile("series: '(elasticjob_\\w+)")
                .matcher(tests)
                .results()
                .map(match -> match.group(1))
                .toList();

        assertThat(rules())
                .isNotEmpty()
                .allSatisfy(rule -> assertThat(tests).contains("alertname: " + rule.get("alert")));
        assertThat(series).extracting(Series::name).containsAll(metrics);
    }

    // ------------------------------------------------------------------ for promtool

    /** Whether it has series, each selector; whether it can be evaluated, each expression. */
    private static String evaluation() throws IOException {
        String input = series.stream()
                .map(each -> "      - series: '%s'\n        values: '%s+1x60'\n"
                        .formatted(each.text(), number(each.value())))
                .collect(Collectors.joining());
        List<String> tests = new ArrayList<>();
        for (String expression : expressions()) {
            tests.add("(count(%s) or vector(0)) >= bool 0".formatted(expression));
            Matcher selectors = SELECTOR.matcher(expression);
            while (selectors.find()) {
                tests.add("count(%s) > bool 0".formatted(selectors.group()));
            }
        }
        String cases = tests.stream()
                .distinct()
                .map(expression -> """
                              - expr: '%s'
                                eval_time: 30m
                                exp_samples:
                                  - labels: '{}'
                                    value: 1
                        """.formatted(expression))
                .collect(Collectors.joining());
        return """
                rule_files: ['%s']
                evaluation_interval: 1m
                tests:
                  - interval: 1m
                    input_series:
                %s    promql_expr_test:
                %s""".formatted(RULES.toAbsolutePath().normalize(), input, cases);
    }

    private static String number(String value) {
        return value.equals("NaN") ? "0" : value;
    }

    // ------------------------------------------------------------------ what is in the pages

    private static List<String> expressions() throws IOException {
        Object dashboard = JsonParserFactory.getJsonParser().parseMap(Files.readString(PAGES.resolve("grafana.json")));
        return Stream.concat(targets(dashboard), rules().stream().map(rule -> String.valueOf(rule.get("expr"))))
                .map(expression -> expression
                        .replace("$__rate_interval", "5m")
                        .replace("$job", ".*")
                        .replace("$application", ".*")
                        .strip())
                .toList();
    }

    private static Stream<String> targets(Object part) {
        if (part instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .flatMap(entry -> entry.getKey().equals("expr")
                            ? Stream.of(String.valueOf(entry.getValue()))
                            : targets(entry.getValue()));
        }
        return part instanceof List<?> list ? list.stream().flatMap(MonitoringTest::targets) : Stream.empty();
    }

    private static List<Map<?, ?>> rules() throws IOException {
        Map<?, ?> file = new Yaml().load(Files.readString(RULES));
        List<?> groups = (List<?>) file.get("groups");
        return groups.stream()
                .flatMap(group -> ((List<?>) ((Map<?, ?>) group).get("rules")).stream())
                .<Map<?, ?>>map(rule -> (Map<?, ?>) rule)
                .toList();
    }
}
