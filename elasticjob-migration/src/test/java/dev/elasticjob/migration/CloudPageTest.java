package dev.elasticjob.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/guide/elastic-job-cloud.md} shows what the converter really writes, and has each key of Cloud. */
class CloudPageTest {
    private static final String INDENT = "   ";

    private final String page = read();

    @Test
    void theResourceInTheExampleIsTheRealOne(@TempDir Path folder) throws IOException {
        String resource = MigrationFixture.text(
                new MigrationFixture(folder).source("shop.json", block("json")).convert(), "shop-elasticapp.yml");

        assertThat(resource).endsWith(block("yaml").replaceAll("(?m)^" + INDENT, ""));
    }

    /** Those that the type adapters of 2.1.5 and the registrations of 3.x read. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "appName",
                "appURL",
                "bootstrapScript",
                "cpuCount",
                "memoryMB",
                "appCacheEnable",
                "eventTraceSamplingCount",
                "jobName",
                "jobExecutionType",
                "jobClass",
                "jobType",
                "beanName",
                "applicationContext",
                "cron",
                "shardingTotalCount",
                "shardingItemParameters",
                "jobParameter",
                "description",
                "failover",
                "misfire",
                "streamingProcess",
                "scriptCommandLine",
                "jobProperties",
                "job_exception_handler",
                "executor_service_handler",
                "jobErrorHandlerType",
                "jobExecutorServiceHandlerType",
                "props",
                "monitorExecution",
                "maxTimeDiffSeconds",
                "reconcileIntervalMinutes",
                "jobShardingStrategyType",
                "overwrite",
                "disabled"
            })
    void eachKeyIsInATable(String key) {
        assertThat(page.lines().filter(line -> line.startsWith("|")).map(line -> line.split("\\|")[1]))
                .anyMatch(cell -> cell.contains("`" + key + "`"));
    }

    private String block(String language) {
        Matcher block = Pattern.compile("```" + language + "\n(.*?) *```", Pattern.DOTALL)
                .matcher(page);
        assertThat(block.find()).isTrue();
        return block.group(1);
    }

    private static String read() {
        try {
            return Files.readString(Path.of("..", "docs", "guide", "elastic-job-cloud.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
