package dev.elasticjob.testing.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import tools.jackson.databind.json.JsonMapper;

/**
 * A dashboard and its alert rules, against a scrape of a running application. With promtool, each expression is
 * evaluated on the series of the scrape; without it, only the names of its metrics and labels are compared with them. {@code
 * target/promtool.txt} says which of the two was done.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class MonitoringContract {
    private static final Path PAGES = Path.of("..", "docs", "monitoring");
    private static final Pattern SELECTOR = Pattern.compile("(elasticjob_\\w+)(?:\\{([^}]*)})?");
    private static final Pattern RULE = Pattern.compile("- alert: (\\w+)\\s+expr: '([^']*)'");
    private static final Optional<Promtool> PROMTOOL = Promtool.find();

    private final Path rules;
    private final Path rulesTest;
    private final Path dashboard;
    private List<Series> series = List.of();

    /** Files of these names in {@code docs/monitoring}. */
    protected MonitoringContract(String rules, String rulesTest, String dashboard) {
        this.rules = PAGES.resolve(rules);
        this.rulesTest = PAGES.resolve(rulesTest);
        this.dashboard = PAGES.resolve(dashboard);
    }

    /** What Prometheus reads from the application. */
    protected abstract String scraped() throws IOException;

    /** Starts the application, and then this. */
    @BeforeAll
    protected void start() throws Exception {
        String scrape = scraped();
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
        assertThat(targets()).isNotEmpty();
        assertThat(rules()).isNotEmpty();
        assertThat(expressions()).allSatisfy(expression -> {
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

    private TreeSet<String> labelsOf(String name) {
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
        assertThat(PROMTOOL.orElseThrow().complaint("check", "rules", "--lint-fatal", rules.toString()))
                .isEmpty();
    }

    @Test
    @EnabledIf("hasPromtool")
    void eachAlertFiresWhenItShouldAndNotBefore() {
        assertThat(PROMTOOL.orElseThrow().complaint("test", "rules", rulesTest.toString()))
                .isEmpty();
    }

    @Test
    void eachAlertHasATestOfItsOwnOnSeriesOfTheScrape() throws IOException {
        String tests = Files.readString(rulesTest);
        List<String> metrics = Pattern.compile("series: '(elasticjob_\\w+)")
                .matcher(tests)
                .results()
                .map(match -> match.group(1))
                .toList();

        assertThat(rules()).allSatisfy(rule -> assertThat(tests).contains("alertname: " + rule.alert() + "\n"));
        assertThat(series).extracting(Series::name).containsAll(metrics);
    }

    @Test
    void eachAlertLeadsToAPage() throws IOException {
        String page = Files.readString(PAGES.resolve("README.md"));

        assertThat(rules()).allSatisfy(rule -> assertThat(page).contains('`' + rule.alert() + '`'));
    }

    // ------------------------------------------------------------------ for promtool

    /** Whether it has series, each selector; whether it can be evaluated, each expression. */
    private String evaluation() throws IOException {
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
                %s""".formatted(rules.toAbsolutePath().normalize(), input, cases);
    }

    private static String number(String value) {
        return value.equals("NaN") ? "0" : value;
    }

    // ------------------------------------------------------------------ what is in the pages

    private List<String> expressions() throws IOException {
        return Stream.concat(targets().stream(), rules().stream().map(Rule::expression))
                .map(expression -> expression
                        .replace("$__rate_interval", "5m")
                        .replaceAll("\"\\$\\w+\"", "\".*\"")
                        .strip())
                .toList();
    }

    private List<String> targets() throws IOException {
        return new JsonMapper().readTree(Files.readString(dashboard)).findValuesAsString("expr");
    }

    private record Rule(String alert, String expression) {}

    private List<Rule> rules() throws IOException {
        return RULE.matcher(Files.readString(rules))
                .results()
                .map(rule -> new Rule(rule.group(1), rule.group(2)))
                .toList();
    }
}
