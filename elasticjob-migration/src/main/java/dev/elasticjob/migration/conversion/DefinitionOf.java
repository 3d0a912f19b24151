package dev.elasticjob.migration.conversion;

import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.time.WrittenDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The definition that an application would make of converted settings. */
final class DefinitionOf {
    private static final Map<JobType, String> NOTHING_TO_RUN = Map.of(JobType.SCRIPT, "true");

    private DefinitionOf() {}

    /**
     * Builds the definition, with something valid in the place of each placeholder.
     *
     * @throws InvalidJobDefinitionException if the application would refuse it
     */
    static JobDefinition settings(String name, ConvertedJob.Kind kind, Map<String, Object> settings) {
        JobType type = switch (kind) {
            case BEAN -> JobType.SIMPLE;
            case DATAFLOW -> JobType.DATAFLOW;
            case SCRIPT -> JobType.SCRIPT;
            case HTTP -> JobType.HTTP;
        };
        JobDefinition.Builder builder = JobDefinition.builder(name)
                .jobType(type)
                .cron(text(settings, "cron", "0 0 0 1 1 ?"))
                .every(written(settings, "every"))
                .fixedDelay(written(settings, "fixed-delay"))
                .timeout(written(settings, "timeout"))
                .misfire(flag(settings, "misfire", true))
                .overlap(Overlap.valueOf(
                        settings.getOrDefault("overlap", Overlap.WAIT).toString()))
                .catchUp(CatchUp.valueOf(
                        settings.getOrDefault("catch-up", CatchUp.BY_MISFIRE).toString()))
                .shardingTotalCount(number(settings, "sharding-total-count", 1, 50_000))
                .shardingItemParameters(text(settings, "sharding-item-parameters", ""))
                .jobParameter(text(settings, "job-parameter", ""))
                .description(text(settings, "description", ""))
                .monitorExecution(flag(settings, "monitor-execution", true))
                .failover(flag(settings, "failover", false))
                .scriptCommandLine(text(settings, "script-command-line", NOTHING_TO_RUN.getOrDefault(type, "")))
                .concurrency(number(settings, "concurrency", 0, 0));
        time(settings, "start-at").ifPresent(builder::startAt);
        time(settings, "end-at").ifPresent(builder::endAt);
        if (kind == ConvertedJob.Kind.HTTP && settings.containsKey("http.uri")) {
            builder.http(http(settings));
        }
        return builder.build();
    }

    private static HttpRequestSettings http(Map<String, Object> settings) {
        HttpRequestSettings request = HttpRequestSettings.of(text(settings, "http.uri", "http://localhost"))
                .withBody(
                        settings.containsKey("http.method")
                                ? text(settings, "http.method", HttpRequestSettings.DEFAULT_METHOD)
                                : HttpRequestSettings.DEFAULT_METHOD,
                        text(settings, "http.body", ""),
                        text(settings, "http.content-type", ""));
        return request.withTimeouts(
                duration(settings, "http.connect-timeout", HttpRequestSettings.DEFAULT_CONNECT_TIMEOUT),
                duration(settings, "http.response-timeout", HttpRequestSettings.DEFAULT_RESPONSE_TIMEOUT));
    }

    private static String text(Map<String, Object> settings, String property, String forPlaceholder) {
        String text = settings.getOrDefault(property, "").toString();
        return SettingValues.isPlaceholder(text) ? forPlaceholder : text;
    }

    private static int number(Map<String, Object> settings, String property, int missing, int forPlaceholder) {
        Object number = settings.getOrDefault(property, missing);
        return number instanceof Integer known ? known : forPlaceholder;
    }

    private static boolean flag(Map<String, Object> settings, String property, boolean missing) {
        Object flag = settings.getOrDefault(property, missing);
        return flag instanceof Boolean known ? known : missing;
    }

    private static Duration written(Map<String, Object> settings, String property) {
        String text = text(settings, property, "");
        return text.isEmpty() ? Duration.ZERO : WrittenDuration.parse(text);
    }

    private static Optional<Instant> time(Map<String, Object> settings, String property) {
        return Optional.of(text(settings, property, ""))
                .filter(Predicate.not(String::isEmpty))
                .map(Instant::parse);
    }

    private static Duration duration(Map<String, Object> settings, String property, Duration missing) {
        String text = settings.getOrDefault(property, "").toString();
        return text.matches("\\d+ms") ? Duration.ofMillis(Long.parseLong(text.replace("ms", ""))) : missing;
    }
}
