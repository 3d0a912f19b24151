package dev.elasticjob.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.spring.metrics.JobMeter.Tag;
import io.micrometer.core.instrument.Meter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What users read about meters. {@code -Dmetrics.write} writes the page anew. */
class MetricsReferenceTest {
    private static final Path PAGE = Path.of("..", "docs", "metrics.md");

    @Test
    void thePageOfAllMetersIsCurrent() throws IOException {
        String page = page();

        if (System.getProperty("metrics.write") != null) {
            Files.writeString(PAGE, page);
        }

        assertThat(Files.exists(PAGE) ? Files.readString(PAGE) : "")
                .as("docs/metrics.md; write it anew with mvn test -pl elasticjob-spring-boot-autoconfigure -am"
                        + " -Dtest=MetricsReferenceTest -Dsurefire.failIfNoSpecifiedTests=false -Dmetrics.write")
                .isEqualTo(page);
    }

    private static String page() {
        return """
                # All metrics

                This page lists every meter, by its Micrometer name. Prometheus shows `elasticjob.executions` as `elasticjob_executions_seconds_count`, `_sum` and `_max`, and a counter as `elasticjob_failovers_total`. All meters exist from the start of the application, with the value 0. Those of a job that is registered at run time come and go with it. [The observability guide](guide/observability.md) explains which of them to look at first, and [docs/monitoring](monitoring/README.md) has a dashboard and alert rules. This page is generated, and a test keeps it current.

                ## Meters

                | meter | type | tags | description |
                |---|---|---|---|
                %s
                ## Tags

                | tag | values |
                |---|---|
                %s""".formatted(meters(), tags());
    }

    private static String meters() {
        return Arrays.stream(JobMeter.values())
                .map(meter -> "| `%s` | %s | %s | %s |\n"
                        .formatted(meter.getName(), type(meter.getType()), tags(meter), meter.description()))
                .collect(Collectors.joining());
    }

    private static String type(Meter.Type type) {
        return type.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String tags(JobMeter meter) {
        String tags = Arrays.stream(meter.getKeyNames())
                .map(tag -> "`" + tag.asString() + "`")
                .collect(Collectors.joining(", "));
        return tags.isEmpty() ? "–" : tags;
    }

    private static String tags() {
        return Arrays.stream(Tag.values())
                .map(tag -> "| `%s`%s | %s |\n".formatted(tag.asString(), of(tag), tag.meaning()))
                .collect(Collectors.joining());
    }

    /** Two tags have the same name. */
    private static String of(Tag tag) {
        return switch (tag) {
            case OUTCOME -> " of executions";
            case REQUEST_OUTCOME -> " of requests";
            default -> "";
        };
    }
}
