package dev.elasticjob.definition.codec;

import dev.elasticjob.definition.HandlerProperties;
import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.Setting;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What can still be read of a definition that can't be used. Of a node that is no JSON, that is what stands before the place
 * at which it ceases to be. Immutable.
 *
 * @param values of the settings that can be used, by name, as they are stored; with secrets
 * @param faults the settings that can't be used or are missing, each once: a repair has to give them values
 */
public record SalvagedSettings(Map<String, Object> values, List<Violation> faults) {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final JobDefinitionCodec CODEC = new JobDefinitionCodec();
    private static final TypeReference<LinkedHashMap<String, Object>> SETTINGS = new TypeReference<>() {};
    private static final String MISSING = "expected a value: it is missing";

    public SalvagedSettings {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        faults = List.copyOf(faults);
    }

    /**
     * @param config empty if there is none, or if the extension is the whole definition
     * @param extension empty if there is none
     */
    public static SalvagedSettings of(String jobName, Optional<byte[]> config, Optional<byte[]> extension) {
        Optional<JsonHead> first = config.map(JsonHead::of);
        Optional<JsonHead> second = extension.map(JsonHead::of);
        ObjectNode all = MAPPER.createObjectNode();
        first.ifPresent(head -> all.setAll(head.members()));
        second.ifPresent(head -> all.setAll(head.members()));
        properties(first, second).ifPresent(found -> all.set(JobSettings.JOB_PROPERTIES.name(), found));
        withoutStandIn(all);
        Map<String, Object> values = new LinkedHashMap<>();
        JobSettings.ALL.stream()
                .map(Setting::name)
                .filter(all::hasNonNull)
                .forEach(name -> values.put(name, MAPPER.convertValue(all.get(name), Object.class)));
        Map<String, Violation> faults = unusable(jobName, values);
        for (String name : needed(first, second)) {
            if (!values.containsKey(name)) {
                faults.putIfAbsent(name, new Violation(name, "", MISSING));
            }
        }
        return new SalvagedSettings(values, List.copyOf(faults.values()));
    }

    /** Those of 2.1.5 stand in the config, others in the extension. */
    private static Optional<JsonNode> properties(Optional<JsonHead> config, Optional<JsonHead> extension) {
        String name = JobSettings.JOB_PROPERTIES.name();
        Optional<ObjectNode> first =
                config.flatMap(head -> object(head.members().path(name)));
        Optional<ObjectNode> second =
                extension.flatMap(head -> object(head.members().path(name)));
        if (first.isEmpty() && second.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Object> all = new LinkedHashMap<>();
        first.ifPresent(found -> all.putAll(HandlerProperties.given(texts(found))));
        second.ifPresent(found -> all.putAll(texts(found)));
        return Optional.of(MAPPER.valueToTree(all));
    }

    private static Optional<ObjectNode> object(JsonNode json) {
        return json instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
    }

    private static Map<String, String> texts(ObjectNode json) {
        Map<String, String> texts = new LinkedHashMap<>();
        json.properties()
                .forEach(member -> texts.put(
                        member.getKey(),
                        member.getValue().isString()
                                ? member.getValue().stringValue()
                                : member.getValue().toString()));
        return texts;
    }

    /** The config of a job without a class has the name of one, which 2.1.5 requires. */
    private static void withoutStandIn(ObjectNode all) {
        String type = all.path(JobSettings.JOB_TYPE.name()).asString("");
        String name = JobSettings.JOB_CLASS.name();
        JobDefinitionCodec.IN_CONFIG.stream()
                .filter(known -> known.name().equals(type))
                .map(Leniency::noClass)
                .filter(standIn -> standIn.equals(all.path(name).asString("")))
                .findFirst()
                .ifPresent(standIn -> all.remove(name));
    }

    /** Takes them out of the values. */
    private static Map<String, Violation> unusable(String jobName, Map<String, Object> values) {
        Map<String, Violation> faults = new LinkedHashMap<>();
        boolean found = true;
        while (found) {
            List<Violation> violations = violations(jobName, values);
            found = false;
            for (Violation violation : violations) {
                String setting = setting(violation.setting());
                faults.putIfAbsent(setting, violation);
                found |= values.remove(setting) != null;
            }
        }
        return faults;
    }

    private static List<Violation> violations(String jobName, Map<String, Object> values) {
        try {
            CODEC.changed(JobDefinition.builder(jobName).build(), values);
            return List.of();
        } catch (InvalidJobDefinitionException e) {
            return e.violations();
        }
    }

    private static String setting(String name) {
        return name.split("\\.", 2)[0];
    }

    /** What a job without it would not be the same: it is never guessed. */
    private static Set<String> needed(Optional<JsonHead> config, Optional<JsonHead> extension) {
        List<String> needed = new ArrayList<>(List.of(JobSettings.JOB_TYPE.name()));
        if (config.isPresent()) {
            needed.add(JobSettings.CRON.name());
        }
        if (!config.or(() -> extension).map(JsonHead::isWhole).orElse(false)) {
            needed.add(JobSettings.CRON.name());
            needed.add(JobSettings.SHARDING_TOTAL_COUNT.name());
        }
        return Collections.unmodifiableSet(new LinkedHashSet<>(needed));
    }

    /**
     * The definition with values for what can't be used.
     *
     * @param corrections values by the settings' names; of a group, those to change, and null for those to remove
     * @throws InvalidJobDefinitionException with each setting that is unknown, can't be used, or still needs a value
     */
    public JobDefinition corrected(String jobName, Map<String, ?> corrections) {
        List<Violation> open = faults.stream()
                .filter(fault -> !corrections.containsKey(setting(fault.setting())))
                .toList();
        if (!open.isEmpty()) {
            throw new InvalidJobDefinitionException(jobName, open);
        }
        Map<String, @Nullable Object> all = new LinkedHashMap<>(values);
        corrections.forEach((name, value) -> all.put(name, merged(all.get(name), value)));
        return CODEC.changed(JobDefinition.builder(jobName).build(), all);
    }

    private static @Nullable Object merged(@Nullable Object present, @Nullable Object change) {
        if (present instanceof Map<?, ?> before && change instanceof Map<?, ?> some) {
            Map<Object, @Nullable Object> both = new LinkedHashMap<>(before);
            some.forEach((name, value) -> {
                if (value == null) {
                    both.remove(name);
                } else {
                    both.put(name, merged(both.get(name), value));
                }
            });
            return both;
        }
        return change;
    }

    /** The values for people, with what {@link JobDefinitionCodec#settings} masks. */
    public Map<String, Object> shown() {
        return MAPPER.convertValue(masked(), SETTINGS);
    }

    /** The same for people who may look but not operate. */
    public Map<String, Object> shownWithoutParameters() {
        return MAPPER.convertValue(JobDefinitionCodec.withoutSecretTexts(HiddenParameters.in(masked())), SETTINGS);
    }

    private ObjectNode masked() {
        ObjectNode all = MAPPER.valueToTree(values);
        JobDefinitionCodec.mask(all);
        return all;
    }
}
