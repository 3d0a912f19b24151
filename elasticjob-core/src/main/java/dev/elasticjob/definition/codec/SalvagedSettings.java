package dev.elasticjob.definition.codec;

import dev.elasticjob.definition.HandlerProperties;
import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.KindRules;
import dev.elasticjob.definition.Secrets;
import dev.elasticjob.definition.Setting;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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

    private static final List<Setting<?>> OF_CONFIG = List.of(
            JobSettings.CRON,
            JobSettings.SHARDING_TOTAL_COUNT,
            JobSettings.FAILOVER,
            JobSettings.MISFIRE,
            JobSettings.MONITOR_EXECUTION,
            JobSettings.DISABLED);

    private static final List<Setting<?>> OF_EXTENSION = List.of(JobSettings.TIME_ZONE, JobSettings.TIMEOUT);

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
        return new SalvagedSettings(
                values,
                faults.values().stream()
                        .map(fault -> JobSettings.mayHaveSecret(fault.setting()) ? masked(fault) : fault)
                        .toList());
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

    /** By their names. Takes them out of the values: of a group, only the parts that are wrong. */
    private static Map<String, Violation> unusable(String jobName, Map<String, Object> values) {
        Map<String, Violation> faults = new LinkedHashMap<>();
        boolean found = true;
        while (found) {
            List<Violation> violations = violations(jobName, withStandIns(values, faults.keySet()));
            found = false;
            for (Violation violation : violations) {
                if (faults.putIfAbsent(violation.setting(), violation) == null) {
                    found = true;
                    remove(values, violation.setting());
                }
            }
        }
        return faults;
    }

    private static void remove(Map<String, Object> values, String name) {
        String setting = setting(name);
        if (values.get(setting) instanceof Map<?, ?> group && !name.equals(setting)) {
            Map<Object, Object> others = new LinkedHashMap<>(group);
            others.remove(name.substring(setting.length() + 1));
            values.put(setting, others);
        } else {
            values.remove(setting);
        }
    }

    /**
     * With values in place of those that decide what other settings a job can have. Without them, these would be wrong because
     * of the first fault only.
     */
    private static Map<String, Object> withStandIns(Map<String, Object> values, Set<String> faults) {
        Map<String, Object> complete = new LinkedHashMap<>(values);
        if (faults.contains(JobSettings.CRON.name())
                && JobSettings.SCHEDULES.stream().map(Setting::name).noneMatch(values::containsKey)) {
            complete.put(JobSettings.CRON.name(), "0 0 0 1 1 ?");
        }
        if (faults.contains(JobSettings.JOB_TYPE.name())) {
            KindRules.builtIn().stream()
                    .filter(kind -> kind.settings().stream().map(Setting::name).anyMatch(values::containsKey))
                    .findFirst()
                    .ifPresent(kind -> complete.put(
                            JobSettings.JOB_TYPE.name(), kind.type().name()));
        }
        return complete;
    }

    private static List<Violation> violations(String jobName, Map<String, Object> values) {
        try {
            CODEC.changed(JobDefinition.builder(jobName).build(), values);
            return List.of();
        } catch (InvalidJobDefinitionException e) {
            return e.violations();
        }
    }

    /** What stands where something is wrong may be a secret, and the text of what is wrong may repeat it. */
    private static Violation masked(Violation fault) {
        return fault.found().isEmpty() ? fault : new Violation(fault.setting(), Secrets.MASK, "expected another value");
    }

    private static String setting(String name) {
        return name.split("\\.", 2)[0];
    }

    /**
     * Without what a job would not be the same: it is never guessed. Of a node that was cut, what each job stores there. What
     * only some jobs store, such as a calendar, can't be known.
     */
    private static Set<String> needed(Optional<JsonHead> config, Optional<JsonHead> extension) {
        Set<Setting<?>> needed = new LinkedHashSet<>(Set.of(JobSettings.JOB_TYPE));
        if (config.isPresent()) {
            needed.add(JobSettings.CRON);
        }
        if (!config.or(() -> extension).map(JsonHead::isWhole).orElse(false)) {
            needed.addAll(OF_CONFIG);
        }
        if (!extension.map(JsonHead::isWhole).orElse(false)) {
            needed.addAll(OF_EXTENSION);
        }
        return needed.stream().map(Setting::name).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /**
     * The definition with values for what can't be used.
     *
     * @param corrections values by the settings' names; of a group, those to change, and null for those to remove
     * @throws InvalidJobDefinitionException with each setting that is unknown, can't be used, or still needs a value
     */
    public JobDefinition corrected(String jobName, Map<String, ?> corrections) {
        List<Violation> open = faults.stream()
                .filter(fault -> !isGiven(fault.setting(), corrections))
                // For the log and the history of commands.
                .map(fault -> JobSettings.isParameter(fault.setting()) ? masked(fault) : fault)
                .toList();
        if (!open.isEmpty()) {
            throw new InvalidJobDefinitionException(jobName, open);
        }
        Map<String, @Nullable Object> all = new LinkedHashMap<>(values);
        corrections.forEach((name, value) -> all.put(name, merged(all.get(name), value)));
        return CODEC.changed(JobDefinition.builder(jobName).build(), all);
    }

    private static boolean isGiven(String name, Map<String, ?> corrections) {
        String setting = setting(name);
        if (!name.equals(setting) && corrections.get(setting) instanceof Map<?, ?> group) {
            return group.containsKey(name.substring(setting.length() + 1));
        }
        return corrections.containsKey(setting);
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
        return MAPPER.convertValue(maskedValues(), SETTINGS);
    }

    /** The same for people who may look but not operate. */
    public Map<String, Object> shownWithoutParameters() {
        return MAPPER.convertValue(
                JobDefinitionCodec.withoutSecretTexts(HiddenParameters.in(maskedValues())), SETTINGS);
    }

    private ObjectNode maskedValues() {
        ObjectNode all = MAPPER.valueToTree(values);
        JobDefinitionCodec.mask(all);
        return all;
    }
}
