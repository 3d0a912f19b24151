package dev.elasticjob.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.migration.TheirKeys.Attribute;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/migration.md} has each key of the released jars in its tables, and the tables have no others here. */
class MigrationPageTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private static String page;
    /** All that is in backticks in the tables below "Every setting", as keys are compared. */
    private static Set<String> named;

    @BeforeAll
    static void readPage() throws IOException {
        page = Files.readString(DOCS.resolve("migration.md"));
        named = section("## Every setting")
                .lines()
                .filter(line -> line.startsWith("|"))
                .flatMap(line -> CODE.matcher(line).results().map(found -> uniform(found.group(1))))
                .collect(Collectors.toSet());
    }

    @Test
    void everyAttributeOfTheXmlOf2IsThere() {
        assertThat(named)
                .containsAll(uniform(Stream.concat(TheirKeys.jobXml2().stream(), TheirKeys.registryXml2().stream())
                        .map(Attribute::name)));
    }

    @Test
    void everyAttributeOfTheXmlOf3IsThere() {
        assertThat(named).containsAll(uniform(TheirKeys.xml3().stream().map(Attribute::name)));
    }

    @Test
    void everyPropertyOf3IsThere() {
        assertThat(named)
                .containsAll(uniform(TheirKeys.bootJob().stream()))
                .containsAll(uniform(TheirKeys.boot().stream().map(key -> key.replaceFirst("^reg-center\\.", ""))));
    }

    @Test
    void everyAttributeOfTheAnnotationOf3IsThere() {
        assertThat(named).containsAll(uniform(TheirKeys.annotation3().stream()));
    }

    @Test
    void everyStoredKeyIsThere() {
        assertThat(named)
                .containsAll(uniform(TheirKeys.stored3().stream()))
                .containsAll(uniform(TheirKeys.stored2().stream().map(key -> key.replaceFirst("^.*\\.", ""))));
    }

    /** The first column is what our own page of settings has. */
    @Test
    void whatTheTablesSayIsHereExists() throws IOException {
        String settings = Files.readString(DOCS.resolve("reference/settings.md"));
        List<String> here = Stream.concat(first(section("### Jobs", "### Registry")), first(section("### Registry")))
                .filter(key -> key.matches("[a-z][a-z.-]+") && !key.equals("job-properties"))
                .toList();

        assertThat(here).hasSizeGreaterThan(25);
        assertThat(here)
                .allSatisfy(key -> assertThat(settings)
                        .containsAnyOf("| `" + key + "` |", "| `elasticjob.registry." + key + "` |"));
    }

    /** What the converter really writes to its report. */
    @Test
    void theReportInTheExampleIsTheRealOne(@TempDir Path folder) throws IOException {
        List<String> report = MigrationFixture.text(
                        new MigrationFixture(folder)
                                .source(
                                        "config",
                                        "{\"jobName\":\"orders\",\"jobClass\":\"shop.OrdersJob\",\"jobType\":\"SIMPLE\","
                                                + "\"cron\":\"0/5 * * ? * 1-6\",\"shardingTotalCount\":3}")
                                .convert(),
                        "report.txt")
                .lines()
                .filter(line -> line.startsWith("  changed: "))
                .map(line -> line.replace(folder.resolve("config").toString(), "/shop/orders/config"))
                .toList();

        assertThat(report).hasSize(1);
        assertThat(page).contains(report.get(0));
    }

    private static Stream<String> first(String section) {
        return section.lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(3, line.indexOf('`', 3)));
    }

    private static String section(String from) {
        int start = page.indexOf("\n" + from + "\n");
        assertThat(start).as("section \"%s\"", from).isPositive();
        String level = from.substring(0, from.indexOf(' ') + 1);
        int end = page.indexOf("\n" + level, start + 1);
        return page.substring(start, end < 0 ? page.length() : end);
    }

    private static String section(String from, String to) {
        return page.substring(page.indexOf("\n" + from + "\n"), page.indexOf("\n" + to + "\n"));
    }

    private static List<String> uniform(Stream<String> keys) {
        return keys.map(MigrationPageTest::uniform).distinct().toList();
    }

    private static String uniform(String key) {
        return key.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }
}
