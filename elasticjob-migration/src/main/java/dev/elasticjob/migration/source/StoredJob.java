package dev.elasticjob.migration.source;

import dev.elasticjob.migration.source.YamlText.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The text of a {@code config} node: JSON in a tree of 2.x, YAML in one of 3.x. */
final class StoredJob {
    static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final String NAME = "jobName";
    /** What 3.x writes into a job's root node if there is no class. */
    private static final Set<String> TYPES = Set.of("SCRIPT", "HTTP");

    private StoredJob() {}

    static boolean isJson(String text) {
        return text.strip().startsWith("{");
    }

    static boolean isYaml(List<List<Entry>> documents) {
        return documents.stream()
                .anyMatch(entries ->
                        entries.stream().anyMatch(entry -> entry.path().equals(List.of(NAME))));
    }

    static SourceJob ofJson(String file, String text) {
        ObjectNode config = object(file, text);
        List<SourceSetting> settings = new ArrayList<>();
        config.properties()
                .forEach(member -> add(member.getKey(), member.getValue(), SourceLocation.of(file), settings));
        return job(Dialect.TREE_2, SourceLocation.of(file), settings);
    }

    /** The text of a node of Cloud: JSON in 2.x, YAML in 3.x. */
    static ObjectNode objectOfCloud(String path, String text) {
        if (isJson(text)) {
            return object(path, text);
        }
        try {
            if (JSON.valueToTree(new Yaml(new SafeConstructor(new LoaderOptions())).load(text))
                    instanceof ObjectNode object) {
                return object;
            }
        } catch (YAMLException e) {
            throw new UnreadableSourceException(SourceLocation.of(path), "expected YAML, but " + e.getMessage(), e);
        }
        throw new UnreadableSourceException(
                SourceLocation.of(path),
                "expected the registration of an app or a job of Elastic-Job-Cloud, JSON or YAML");
    }

    private static ObjectNode object(String file, String text) {
        try {
            if (JSON.readTree(text) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException e) {
            throw new UnreadableSourceException(
                    new SourceLocation(
                            file, e.getLocation() == null ? 0 : e.getLocation().getLineNr()),
                    "expected the JSON of a config node of Elastic-Job 2.x, but: " + e.getOriginalMessage(),
                    e);
        }
        throw new UnreadableSourceException(SourceLocation.of(file), "expected a JSON object of Elastic-Job 2.x");
    }

    static void add(String key, JsonNode value, SourceLocation place, List<SourceSetting> settings) {
        if (value instanceof ObjectNode object) {
            object.properties().forEach(member -> add(key + "." + member.getKey(), member.getValue(), place, settings));
        } else {
            settings.add(new SourceSetting(key, value.isNull() ? "" : value.asString(value.toString()), place));
        }
    }

    /** @param root the data of the job's root node: its class, or its type */
    static SourceJob ofYaml(String file, List<Entry> entries, Optional<String> root) {
        List<SourceSetting> settings = new ArrayList<>();
        entries.forEach(entry -> settings.add(new SourceSetting(
                String.join(".", entry.path()).replace(".[", "["),
                entry.written(),
                new SourceLocation(file, entry.line()))));
        root.map(String::strip)
                .filter(text -> !text.isEmpty())
                .ifPresent(text -> settings.add(new SourceSetting(
                        TYPES.contains(text) ? "jobType" : "jobClass", text, SourceLocation.of(file))));
        return job(Dialect.TREE_3, SourceLocation.of(file), settings);
    }

    private static SourceJob job(Dialect dialect, SourceLocation place, List<SourceSetting> settings) {
        String name = settings.stream()
                .filter(setting ->
                        setting.key().equals(NAME) && !setting.value().isBlank())
                .map(SourceSetting::value)
                .findFirst()
                .orElseThrow(() -> new UnreadableSourceException(place, "expected a job, but \"jobName\" is missing"));
        return new SourceJob(
                name,
                dialect,
                place,
                settings.stream().filter(setting -> !setting.key().equals(NAME)).toList());
    }
}
