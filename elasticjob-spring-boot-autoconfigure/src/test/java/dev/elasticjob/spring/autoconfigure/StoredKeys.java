package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.json.JsonParserFactory;

/** Where a job's settings stand in the registry, by what is written there for a job of each kind. */
final class StoredKeys {
    private static final String HANDLERS = "jobProperties.";

    /** A group in the registry, but not where people write it. */
    private static final Map<String, String> OF_AFTER =
            Map.of("after", "after.jobs", "afterOutcome", "after.outcome", "afterWindow", "after.window");

    private final Map<String, String> nodes = new LinkedHashMap<>();

    StoredKeys() {
        var codec = new JobDefinitionCodec();
        JobDefinition simple = JobDefinition.builder("any").cron("* * * * * ?").build();
        JobDefinition dataflow = simple.toBuilder()
                .jobType(JobType.DATAFLOW)
                .streamingProcess(true)
                .build();
        JobDefinition script = simple.toBuilder()
                .jobType(JobType.SCRIPT)
                .scriptCommandLine("true")
                .build();
        JobDefinition request = simple.toBuilder()
                .jobType(JobType.HTTP)
                .http(HttpRequestSettings.of("http://localhost").withBody("POST", "{}", "application/json"))
                .build();
        JobDefinition oneOff = simple.toBuilder()
                .cron("")
                .runAtStart(true)
                .after(AfterSettings.of("import"))
                .build();
        add("extension", codec.extension(simple, Optional.empty()));
        JobDefinition watched = simple.toBuilder()
                .clusterListener(true)
                .stuckAfter(Duration.ofHours(1))
                .expectWithin(Duration.ofMinutes(5))
                .build();
        add("extension", codec.extension(watched, Optional.empty()));
        add("config", codec.config(simple, Optional.empty()));
        add("config", codec.config(dataflow, Optional.empty()));
        add("config", codec.config(script, Optional.empty()));
        add("extension", codec.extension(request, Optional.empty()));
        add("extension", codec.extension(oneOff, Optional.empty()));
    }

    private void add(String node, byte[] json) {
        add(node, "", JsonParserFactory.getJsonParser().parseMap(new String(json, StandardCharsets.UTF_8)));
    }

    private void add(String node, String prefix, Map<?, ?> members) {
        members.forEach((key, value) -> {
            nodes.putIfAbsent(prefix + key, node);
            if (value instanceof Map<?, ?> group) {
                add(node, prefix + key + ".", group);
            }
        });
    }

    /**
     * The node and the key, as people read them.
     *
     * @param name as in Java; behind the dot for a setting of a group
     * @return empty when it isn't stored
     */
    Optional<String> of(String name) {
        String handler = HANDLERS + name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
        String key = nodes.containsKey(handler) ? handler : OF_AFTER.getOrDefault(name, name);
        return Optional.ofNullable(nodes.get(key)).map(node -> "`%s`: `%s`".formatted(node, key));
    }
}
