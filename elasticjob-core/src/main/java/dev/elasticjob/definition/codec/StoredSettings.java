package dev.elasticjob.definition.codec;

import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.definition.UnreadableDefinitionException.Part;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The settings in one of the two nodes of a definition. What is missing or null is empty; what can't be understood is
 * empty too, and is said by {@link #throwFaults()}. Numbers and booleans may also be written as strings, as the reader
 * of 2.1.5 takes them.
 */
final class StoredSettings {
    private static final Pattern YAML_OF_3 = Pattern.compile("(?m)^(jobName|shardingTotalCount): ");

    private final String jobName;
    private final Part part;
    private final String prefix;
    private final ObjectNode settings;
    private final List<String> faults;

    private StoredSettings(String jobName, Part part, String prefix, ObjectNode settings, List<String> faults) {
        this.jobName = jobName;
        this.part = part;
        this.prefix = prefix;
        this.settings = settings;
        this.faults = faults;
    }

    /** @throws UnreadableDefinitionException when the bytes are no JSON object */
    static StoredSettings parse(JsonMapper mapper, String jobName, Part part, byte[] json) {
        try {
            if (mapper.readTree(json) instanceof ObjectNode settings) {
                return new StoredSettings(jobName, part, "", settings, new ArrayList<>());
            }
        } catch (JacksonException e) {
            String reason = isYaml(json)
                    ? "expected a JSON object, but found the YAML of ElasticJob 3.x, which uses this tree; use"
                            + " another namespace, unless this application should take over the job"
                    : "expected a JSON object, but found something else (%s)".formatted(e.getOriginalMessage());
            throw new UnreadableDefinitionException(jobName, part, reason, e);
        }
        throw new UnreadableDefinitionException(jobName, part, "expected a JSON object, but found something else");
    }

    private static boolean isYaml(byte[] config) {
        return YAML_OF_3.matcher(new String(config, StandardCharsets.UTF_8)).find();
    }

    Optional<String> text(String key) {
        return read(key, "a text", StoredSettings::asText);
    }

    Optional<Integer> number(String key) {
        return read(key, "a whole number", node -> Integer.valueOf(asText(node).strip()));
    }

    Optional<Boolean> flag(String key) {
        return read(key, "true or false", node -> switch (asText(node)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException();
        });
    }

    /**
     * A setting that is written as text.
     *
     * @param expected what to say where the parser throws
     */
    <T> Optional<T> parsed(String key, String expected, Function<String, T> parser) {
        return read(key, expected, node -> parser.apply(asText(node)));
    }

    Optional<Duration> duration(String key) {
        return parsed(key, "a duration such as PT60S", Duration::parse);
    }

    /** The texts of an array, in order. */
    Optional<List<String>> list(String key) {
        return read(key, "a JSON array of texts", node -> {
            if (!node.isArray()) {
                throw new IllegalArgumentException();
            }
            return node.valueStream().map(StoredSettings::asText).toList();
        });
    }

    /** The settings grouped under a key; what is wrong with them is said together with the others. */
    Optional<StoredSettings> group(String key) {
        return object(key).map(group -> new StoredSettings(jobName, part, prefix + key + ".", group, faults));
    }

    /** The members of an object, in order; values that are no strings as their JSON. */
    Optional<Map<String, String>> texts(String key) {
        return object(key).map(object -> {
            Map<String, String> texts = new LinkedHashMap<>();
            object.properties().forEach(member -> {
                JsonNode value = member.getValue();
                if (!value.isNull()) {
                    texts.put(member.getKey(), value.isString() ? value.stringValue() : value.toString());
                }
            });
            return texts;
        });
    }

    /** Doesn't show what is there instead: it may be a secret that got into the wrong place. */
    private Optional<ObjectNode> object(String key) {
        JsonNode node = settings.get(key);
        if (node == null || node.isNull()) {
            return Optional.empty();
        }
        if (node instanceof ObjectNode object) {
            return Optional.of(object);
        }
        fault("expected %s to be a JSON object, but it is not".formatted(prefix + key));
        return Optional.empty();
    }

    void fault(String fault) {
        faults.add(fault);
    }

    /** @throws UnreadableDefinitionException when anything was found that can't be understood */
    void throwFaults() {
        if (!faults.isEmpty()) {
            throw new UnreadableDefinitionException(jobName, part, String.join("; ", faults));
        }
    }

    private <T> Optional<T> read(String key, String expected, Function<JsonNode, T> reading) {
        JsonNode node = settings.get(key);
        if (node == null || node.isNull()) {
            return Optional.empty();
        }
        try {
            return Optional.of(reading.apply(node));
        } catch (RuntimeException e) {
            fault("%s is %s, expected %s".formatted(prefix + key, node, expected));
            return Optional.empty();
        }
    }

    private static String asText(JsonNode node) {
        if (!node.isValueNode()) {
            throw new IllegalArgumentException();
        }
        return node.isString() ? node.stringValue() : node.toString();
    }
}
