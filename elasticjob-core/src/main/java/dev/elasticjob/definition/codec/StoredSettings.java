package dev.elasticjob.definition.codec;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.Secrets;
import dev.elasticjob.definition.SettingSource;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.definition.UnreadableDefinitionException.Part;
import dev.elasticjob.time.WrittenDuration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The settings in one of the two nodes of a definition, by key. A missing or null setting is empty. So is an unusable
 * one, which {@link #throwFaults()} reports. Numbers and booleans may also be strings, as in 2.1.5.
 */
final class StoredSettings implements SettingSource {
    private static final Pattern YAML_OF_3 = Pattern.compile("(?m)^(jobName|shardingTotalCount): ");

    private final String jobName;
    private final Part part;
    private final ObjectNode settings;
    /** What is wrong, by the sentence that says so. */
    private final Map<String, Violation> faults = new LinkedHashMap<>();

    private StoredSettings(String jobName, Part part, ObjectNode settings) {
        this.jobName = jobName;
        this.part = part;
        this.settings = settings;
    }

    /** @throws UnreadableDefinitionException if the bytes are no JSON object */
    static StoredSettings parse(JsonMapper mapper, String jobName, Part part, byte[] json) {
        try {
            if (mapper.readTree(json) instanceof ObjectNode settings) {
                return new StoredSettings(jobName, part, settings);
            }
        } catch (JacksonException e) {
            boolean yaml =
                    YAML_OF_3.matcher(new String(json, StandardCharsets.UTF_8)).find();
            // Without the parser's words, which repeat what it has found.
            String reason = yaml
                    ? "expected a JSON object, but found the YAML of ElasticJob 3.x, which uses this tree; use"
                            + " another namespace, unless this application should take over the job"
                    : "expected a JSON object, but found something else" + place(e);
            throw new UnreadableDefinitionException(jobName, part, reason, e);
        }
        throw new UnreadableDefinitionException(
                jobName, part, "expected a JSON object, but found something else", null);
    }

    /** Empty for what is too deep or too long: there, the parser names no place. */
    private static String place(JacksonException e) {
        return Optional.ofNullable(e.getLocation())
                .map(at -> ", in line %d, column %d".formatted(at.getLineNr(), at.getColumnNr()))
                .orElse("");
    }

    /** Begins what is said of a value that can't be used. */
    private static final String EXPECTED = "expected ";

    @Override
    public Optional<String> text(String key) {
        return read(key, "a text", StoredSettings::asText);
    }

    @Override
    public Optional<Integer> number(String key) {
        return read(key, "a whole number", node -> Integer.valueOf(asText(node).strip()));
    }

    @Override
    public Optional<Boolean> flag(String key) {
        return read(key, "true or false", node -> switch (asText(node)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException();
        });
    }

    @Override
    public Optional<Duration> duration(String key) {
        JsonNode node = node(key);
        String expected = WrittenDuration.expected(node.isValueNode() ? node.asString() : "");
        return read(key, expected.substring(EXPECTED.length()), found -> WrittenDuration.parse(asText(found)));
    }

    @Override
    public Optional<Optional<Instant>> time(String key) {
        return read(
                key,
                "a time such as 2026-12-24T18:00:00Z",
                node -> Optional.of(asText(node))
                        .filter(Predicate.not(String::isBlank))
                        .map(Instant::parse));
    }

    @Override
    public Optional<ZoneId> zone(String key) {
        return read(key, "a time zone such as Europe/Berlin", node -> ZoneId.of(asText(node)));
    }

    @Override
    public Optional<JobType> type(String key) {
        boolean any = part == Part.EXTENSION;
        String expected = any
                ? "the name of a kind, such as SIMPLE, in upper-case letters, digits and underscores"
                : "one of " + JobDefinitionCodec.IN_CONFIG;
        if (text(key).isEmpty()) {
            fault(key, "", "is missing; expected " + expected);
        }
        return read(key, expected, node -> {
            JobType type = new JobType(asText(node));
            if (!any && !JobDefinitionCodec.IN_CONFIG.contains(type)) {
                throw new IllegalArgumentException();
            }
            return type;
        });
    }

    @Override
    public Optional<Double> decimal(String key) {
        return read(key, "a number", node -> Double.valueOf(asText(node)));
    }

    @Override
    public <E extends Enum<E>> Optional<E> choice(String key, Class<E> words) {
        return read(key, "one of " + List.of(words.getEnumConstants()), node -> Enum.valueOf(words, asText(node)));
    }

    @Override
    public Optional<List<String>> names(String key) {
        return read(key, "a JSON array of texts", node -> {
            if (!node.isArray()) {
                throw new IllegalArgumentException();
            }
            return node.valueStream().map(StoredSettings::asText).toList();
        });
    }

    @Override
    public boolean hasGroup(String key) {
        return object(key).isPresent();
    }

    /** The members of an object, in order. Values other than strings are returned as JSON. */
    @Override
    public Optional<Map<String, String>> texts(String key) {
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

    /** The fault doesn't show the value: it may be a secret in the wrong place. */
    private Optional<ObjectNode> object(String key) {
        JsonNode node = node(key);
        if (node.isMissingNode() || node.isNull()) {
            return Optional.empty();
        }
        if (node instanceof ObjectNode object) {
            return Optional.of(object);
        }
        faults.put(
                "expected %s to be a JSON object, but it is not".formatted(key),
                new Violation(key, Secrets.MASK, "expected a JSON object"));
        return Optional.empty();
    }

    /** Reports the value of a key, or that it is missing. */
    void wrong(String key, String expected) {
        JsonNode node = node(key);
        faults.put(
                node.isMissingNode()
                        ? "%s is missing, expected %s".formatted(key, expected)
                        : sentence(key, node, expected),
                violation(key, node, expected));
    }

    /** @param wrong continues a sentence that begins with the key */
    void fault(String key, String found, String wrong) {
        faults.put("%s %s".formatted(key, wrong), new Violation(key, found, wrong));
    }

    /** For logs and for people who look at jobs: a parameter is not repeated, because it may be a secret. */
    private static String sentence(String key, JsonNode node, String expected) {
        boolean hidden = JobSettings.isParameter(key) || JobSettings.mayHaveSecret(key);
        return "%s is %s, expected %s".formatted(key, hidden ? Secrets.MASK : node, expected);
    }

    private static Violation violation(String key, JsonNode node, String expected) {
        String found = node.isString() ? node.stringValue() : node.isMissingNode() ? "" : node.toString();
        return new Violation(key, found, EXPECTED + expected);
    }

    /** What is wrong, setting by setting. */
    List<Violation> violations() {
        return List.copyOf(faults.values());
    }

    /** @throws UnreadableDefinitionException if a setting is unusable; the exception names all of them */
    void throwFaults() {
        if (!faults.isEmpty()) {
            throw new UnreadableDefinitionException(jobName, part, String.join("; ", faults.keySet()), null);
        }
    }

    /** Of a part of a group, it is in the group's node. */
    private JsonNode node(String key) {
        int dot = key.indexOf('.');
        return dot < 0
                ? settings.path(key)
                : settings.path(key.substring(0, dot)).path(key.substring(dot + 1));
    }

    private <T> Optional<T> read(String key, String expected, Function<JsonNode, T> reading) {
        JsonNode node = node(key);
        if (node.isMissingNode() || node.isNull()) {
            return Optional.empty();
        }
        try {
            return Optional.of(reading.apply(node));
        } catch (RuntimeException e) {
            faults.put(sentence(key, node, expected), violation(key, node, expected));
            return Optional.empty();
        }
    }

    private static String asText(JsonNode node) {
        if (!node.isValueNode()) {
            throw new IllegalArgumentException();
        }
        return node.isNull() ? node.toString() : node.asString();
    }
}
