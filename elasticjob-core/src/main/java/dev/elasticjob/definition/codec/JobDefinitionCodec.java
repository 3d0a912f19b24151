package dev.elasticjob.definition.codec;

import dev.elasticjob.definition.HandlerProperties;
import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.KindRules;
import dev.elasticjob.definition.Secrets;
import dev.elasticjob.definition.Setting;
import dev.elasticjob.definition.Setting.Place;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.definition.UnreadableDefinitionException.Part;
import dev.elasticjob.definition.schedule.CronSchedule;
import dev.elasticjob.definition.text.NearestName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * The JSON in which a definition is stored, in two parts: the config, with exactly the keys of Elastic-Job 2.1.5, so
 * that its operators' tools keep working, and the extension, with the settings that 2.1.5 has no key for. {@link
 * JobSettings} lists the keys. Safe for use by any thread.
 *
 * <p>The reader of 2.1.5 is strict in unexpected places, and one rejected config breaks its whole list of jobs: it
 * requires a class name for every job, and knows only two job properties. So a job without a class is stored with the
 * interface of its type, and all other job properties are in the extension. A job of a type that 2.1.5 doesn't know, or
 * without a cron, has no config: its extension is the whole definition, and says so.
 */
public final class JobDefinitionCodec {
    private static final String NAME = "jobName";
    private static final String WHOLE = "whole";

    /** The types that the reader of 2.1.5 knows. */
    static final List<JobType> IN_CONFIG = KindRules.builtIn().stream()
            .filter(kind -> kind.classInConfig().isPresent())
            .map(KindRules::type)
            .toList();

    /** What is found where texts are too long together. */
    private static final Pattern SIZE = Pattern.compile("[0-9]+ bytes");

    /** One for all jobs: it keeps what it has found out about types. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .build();

    private static final List<Setting<?>> CONFIG = storedIn(Place.CONFIG);
    private static final List<Setting<?>> EXTENSION = storedIn(Place.EXTENSION);

    /**
     * Keys that are dropped from a node when the definition no longer has them, instead of being kept as unknown ones.
     */
    private static final Set<String> KNOWN = names(storedIn(Place.CONFIG, Place.WHOLE));

    private static final Set<String> KNOWN_IN_EXTENSION = names(JobSettings.ALL);

    /** What says that an extension is not the whole definition. */
    private static final Set<String> LEFT_OVER = Set.of("", "false");

    /** Each whole definition has them, and no other extension. */
    private static final Set<String> OF_CONFIG =
            names(List.of(JobSettings.JOB_TYPE, JobSettings.CRON, JobSettings.SHARDING_TOTAL_COUNT));

    /** Groups of settings, in which unknown keys are kept too. */
    private static final Set<String> GROUPS = names(JobSettings.GROUPS);

    private static List<Setting<?>> storedIn(Place... places) {
        return JobSettings.ALL.stream()
                .filter(setting -> Set.of(places).contains(setting.place()))
                .toList();
    }

    private static Set<String> names(List<? extends Setting<?>> settings) {
        return settings.stream().map(Setting::name).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Whether the extension is the whole definition of such a job, because the reader of 2.1.5 would reject its config.
     */
    public boolean isWhole(JobDefinition definition) {
        return definition.schedule().cron().isEmpty() || !IN_CONFIG.contains(definition.jobType());
    }

    /** Whether the extension says that it is the whole definition; false if it can't be read. */
    public boolean isWhole(byte[] extension) {
        return object(extension)
                .map(stored -> stored.path(WHOLE).asString(""))
                .filter("true"::equals)
                .isPresent();
    }

    /**
     * Whether an extension without a config is what is left of a job that was removed: the further settings of a job that
     * had a config. What can't be read, or has settings that only a config or a whole definition has, is a definition that
     * somebody has spoilt.
     */
    public boolean isLeftOver(byte[] extension) {
        return object(extension)
                .filter(stored -> LEFT_OVER.contains(stored.path(WHOLE).asString("")))
                .filter(stored -> OF_CONFIG.stream().noneMatch(stored::has))
                .isPresent();
    }

    /**
     * @param existing the node's present data; its unknown keys are kept, at the end
     * @throws IllegalArgumentException if such a job has no config
     */
    public byte[] config(JobDefinition definition, Optional<byte[]> existing) {
        if (isWhole(definition)) {
            throw new IllegalArgumentException(
                    "Job \"%s\" has no config: a job of the type %s with the cron \"%s\" is stored in the extension"
                            .formatted(definition.jobName(), definition.jobType(), definition.cron()));
        }
        ObjectNode config = MAPPER.createObjectNode().put(NAME, definition.jobName());
        write(config, CONFIG, definition);
        if (definition.jobClass().isEmpty()) {
            config.put(JobSettings.JOB_CLASS.name(), Leniency.noClass(definition.jobType()));
        }
        config.set(
                JobSettings.JOB_PROPERTIES.name(),
                MAPPER.valueToTree(HandlerProperties.toStore(definition.jobProperties())));
        return withUnknown(config, existing, KNOWN);
    }

    /** @param existing the node's present data; its unknown keys are kept, at the end */
    public byte[] extension(JobDefinition definition, Optional<byte[]> existing) {
        boolean whole = isWhole(definition);
        ObjectNode extension = MAPPER.createObjectNode().put(WHOLE, whole);
        write(extension, whole ? JobSettings.ALL : EXTENSION, definition);
        if (!whole) {
            extension.set(
                    JobSettings.JOB_PROPERTIES.name(),
                    MAPPER.valueToTree(HandlerProperties.others(definition.jobProperties())));
        }
        return withUnknown(extension, existing, KNOWN_IN_EXTENSION);
    }

    private void write(ObjectNode node, List<Setting<?>> settings, JobDefinition definition) {
        settings.stream()
                .filter(setting -> setting.isOf(definition))
                .forEach(setting -> node.set(setting.name(), json(definition.get(setting))));
    }

    /** Most values need no mapper, which allocates several kilobytes for each. */
    private static JsonNode json(Object value) {
        if (value instanceof String text) {
            return MAPPER.getNodeFactory().stringNode(text);
        }
        if (value instanceof JobType type) {
            return MAPPER.getNodeFactory().stringNode(type.name());
        }
        if (value instanceof Boolean flag) {
            return MAPPER.getNodeFactory().booleanNode(flag);
        }
        return value instanceof Integer number
                ? MAPPER.getNodeFactory().numberNode(number.intValue())
                : MAPPER.valueToTree(value);
    }

    /**
     * Reads a definition that is wholly in the extension. Missing settings have their defaults.
     *
     * @throws UnreadableDefinitionException if it is no definition, or an invalid one
     */
    public DecodedDefinition decodeWhole(String jobName, byte[] extension) {
        StoredSettings settings = StoredSettings.parse(MAPPER, jobName, Part.EXTENSION, extension);
        if (!isWhole(extension)) {
            settings.wrong(WHOLE, "true, because the job has no config");
        }
        List<String> warnings = new ArrayList<>();
        JobDefinition.Builder builder = JobDefinition.builder(jobName);
        JobSettings.ALL.forEach(setting -> setting.read(settings, builder));
        Leniency leniency = new Leniency(settings, builder, warnings);
        leniency.inConfig();
        settings.throwFaults();
        return new DecodedDefinition(build(jobName, builder, any -> Part.EXTENSION), warnings);
    }

    /**
     * Reads a definition. Missing settings have their defaults.
     *
     * @throws UnreadableDefinitionException if it is no definition, or an invalid one
     */
    public DecodedDefinition decode(String jobName, byte[] config, Optional<byte[]> extension) {
        return decode(jobName, config, extension, JobDefinition.builder(jobName), Map.of());
    }

    /**
     * Reads a definition. If there is no extension, as in a tree of 2.1.5, its settings are taken from the fallback. An
     * extension that is there counts for all instances alike, whatever they have themselves: settings missing from it
     * have their defaults, as those missing from the config.
     *
     * @param fallback the local definition of the same job
     * @throws UnreadableDefinitionException if it is no definition, or an invalid one
     */
    public DecodedDefinition decode(byte[] config, Optional<byte[]> extension, JobDefinition fallback) {
        if (extension.isPresent()) {
            return decode(fallback.jobName(), config, extension);
        }
        JobDefinition.Builder builder = JobDefinition.builder(fallback.jobName());
        EXTENSION.forEach(setting -> setting.copy(fallback, builder));
        return decode(
                fallback.jobName(), config, extension, builder, HandlerProperties.others(fallback.jobProperties()));
    }

    private DecodedDefinition decode(
            String jobName,
            byte[] config,
            Optional<byte[]> extension,
            JobDefinition.Builder builder,
            Map<String, String> fallbackProperties) {
        if (extension.filter(this::isWhole).isPresent()) {
            return decodeWhole(jobName, extension.get());
        }
        List<String> warnings = new ArrayList<>();
        StoredSettings settings = StoredSettings.parse(MAPPER, jobName, Part.CONFIG, config);
        CONFIG.forEach(setting -> setting.read(settings, builder));
        Leniency leniency = new Leniency(settings, builder, warnings);
        leniency.inConfig();
        requireCron(settings);
        Map<String, String> properties = HandlerProperties.given(
                JobSettings.JOB_PROPERTIES.read(settings).orElse(Map.of()));
        settings.throwFaults();
        leniency.ofName(NAME, jobName);

        if (extension.isPresent()) {
            StoredSettings further = StoredSettings.parse(MAPPER, jobName, Part.EXTENSION, extension.get());
            further.flag(WHOLE);
            EXTENSION.forEach(setting -> setting.read(further, builder));
            leniency.inExtension(further);
            properties.putAll(JobSettings.JOB_PROPERTIES.read(further).orElse(Map.of()));
            further.throwFaults();
        } else {
            properties.putAll(fallbackProperties);
            JobSettings.CRON
                    .read(settings)
                    .flatMap(CronSchedule::otherThanInQuartz)
                    .ifPresent(warnings::add);
        }
        builder.jobProperties(properties);
        return new DecodedDefinition(build(jobName, builder, JobDefinitionCodec::partOf), warnings);
    }

    /** Elastic-Job's tools know no job without. */
    private static void requireCron(StoredSettings settings) {
        if (JobSettings.CRON
                .read(settings)
                .filter(Predicate.not(String::isBlank))
                .isEmpty()) {
            settings.fault(
                    JobSettings.CRON.name(),
                    "",
                    "is missing; expected six fields. Only a job in an extension can have no cron");
        }
    }

    // ------------------------------------------------------------------ for people

    /**
     * The settings by name. Masked are the body and the headers of an HTTP job, and job properties whose names suggest a
     * secret.
     */
    public Map<String, Object> settings(JobDefinition definition) {
        return MAPPER.convertValue(masked(definition), new TypeReference<LinkedHashMap<String, Object>>() {});
    }

    /**
     * The same for people who may look but not operate: parameters are masked as well, and so are texts that mention a
     * secret.
     */
    public Map<String, Object> settingsWithoutParameters(JobDefinition definition) {
        return MAPPER.convertValue(
                withoutSecretTexts(HiddenParameters.in(masked(definition))),
                new TypeReference<LinkedHashMap<String, Object>>() {});
    }

    /**
     * The definition as the block of an {@code application.yml} that declares the same, in the words of Spring Boot's
     * properties: what differs from the defaults, with comments in place of what {@link #settings} masks.
     */
    public String yaml(JobDefinition definition) {
        return DefinitionYaml.of(definition, settings(definition));
    }

    /** The same with comments in place of what {@link #settingsWithoutParameters} masks. */
    public String yamlWithoutParameters(JobDefinition definition) {
        return DefinitionYaml.of(definition, settingsWithoutParameters(definition));
    }

    /** A change of a setting for the same people. */
    public SettingChange withoutParameters(SettingChange change) {
        return new SettingChange(
                change.setting(),
                change.before().map(value -> hidden(change.setting(), value)),
                change.after().map(value -> hidden(change.setting(), value)));
    }

    private static Object hidden(String setting, Object value) {
        ObjectNode one = MAPPER.createObjectNode();
        one.set(setting, MAPPER.valueToTree(value));
        return MAPPER.convertValue(withoutSecretTexts(HiddenParameters.in(one)).path(setting), Object.class);
    }

    private ObjectNode masked(JobDefinition definition) {
        ObjectNode all = MAPPER.createObjectNode();
        write(all, JobSettings.ALL, definition);
        mask(all);
        return all;
    }

    /** Puts masks for the members of settings that may be secrets. */
    static void mask(ObjectNode settings) {
        for (Setting<?> setting : JobSettings.ALL) {
            if (settings.get(setting.name()) instanceof ObjectNode members) {
                List.copyOf(members.propertyNames()).stream()
                        .filter(members::hasNonNull)
                        .filter(setting::isSecret)
                        .forEach(name -> members.put(name, Secrets.MASK));
            }
        }
    }

    /**
     * The settings that differ, with both values, to be kept where others read them than read the definition: beside what
     * {@link #settings} masks, so are texts that mention a secret.
     */
    public List<SettingChange> changes(JobDefinition before, JobDefinition after) {
        Map<String, Object> old = valuesToKeep(before);
        Map<String, Object> now = valuesToKeep(after);
        return JobSettings.ALL.stream()
                .filter(setting -> !before.get(setting).equals(after.get(setting)))
                .map(setting -> new SettingChange(
                        setting.name(),
                        Optional.ofNullable(old.get(setting.name())),
                        Optional.ofNullable(now.get(setting.name()))))
                .toList();
    }

    /** Also of settings that the definition doesn't store, because they have their defaults. */
    private static Map<String, Object> valuesToKeep(JobDefinition definition) {
        ObjectNode all = MAPPER.createObjectNode();
        JobSettings.ALL.forEach(setting -> all.set(setting.name(), json(definition.get(setting))));
        mask(all);
        return MAPPER.convertValue(withoutSecretTexts(all), new TypeReference<LinkedHashMap<String, Object>>() {});
    }

    /** JSON with a mask for each text in it that mentions a secret. */
    public static JsonNode withoutSecretTexts(JsonNode json) {
        if (json instanceof ObjectNode object) {
            ObjectNode kept = MAPPER.createObjectNode();
            object.properties().forEach(member -> kept.set(member.getKey(), withoutSecretTexts(member.getValue())));
            return kept;
        }
        if (json instanceof ArrayNode array) {
            ArrayNode kept = MAPPER.createArrayNode();
            array.forEach(element -> kept.add(withoutSecretTexts(element)));
            return kept;
        }
        return json.isString() && Secrets.mayBeIn(json.stringValue()) ? StringNode.valueOf(Secrets.MASK) : json;
    }

    /**
     * Changes some settings.
     *
     * @param changes values by the settings' names; of a group of settings, those to change, and null for those to remove
     * @throws InvalidJobDefinitionException with every setting that is unknown or can't be used
     */
    public JobDefinition changed(JobDefinition before, Map<String, ?> changes) {
        String jobName = before.jobName();
        ObjectNode present = MAPPER.createObjectNode();
        write(present, JobSettings.ALL, before);
        ObjectNode next = MAPPER.createObjectNode();
        List<Violation> violations = new ArrayList<>();
        changes.forEach((name, value) -> {
            if (!KNOWN_IN_EXTENSION.contains(name)) {
                violations.add(new Violation(
                        name,
                        String.valueOf(value),
                        "there is no such setting" + NearestName.aside(name, KNOWN_IN_EXTENSION)));
            } else if (value == null || value.toString().contains(Secrets.MASK)) {
                violations.add(new Violation(name, String.valueOf(value), "expected a value; a mask is none"));
            } else {
                next.set(name, merged(present.get(name), MAPPER.valueToTree(value)));
            }
        });
        JobDefinition.Builder builder = before.toBuilder();
        StoredSettings settings = StoredSettings.parse(MAPPER, jobName, Part.EXTENSION, MAPPER.writeValueAsBytes(next));
        JobSettings.ALL.stream()
                .filter(setting -> next.has(setting.name()))
                .forEach(setting -> setting.read(settings, builder));
        violations.addAll(settings.violations());
        return valid(builder, violations, jobName);
    }

    private static JobDefinition valid(JobDefinition.Builder builder, List<Violation> violations, String jobName) {
        JobDefinition after = null;
        try {
            after = builder.build();
        } catch (InvalidJobDefinitionException e) {
            violations.addAll(e.violations());
        }
        if (after == null || !violations.isEmpty()) {
            throw new InvalidJobDefinitionException(jobName, violations);
        }
        return after;
    }

    /** Within a group, settings that are not mentioned stay, and those that are null are removed. */
    private static JsonNode merged(@Nullable JsonNode present, JsonNode change) {
        if (present instanceof ObjectNode before && change instanceof ObjectNode some) {
            ObjectNode both = before.deepCopy();
            some.properties().forEach(member -> {
                if (member.getValue().isNull()) {
                    both.remove(member.getKey());
                } else {
                    both.set(member.getKey(), merged(before.get(member.getKey()), member.getValue()));
                }
            });
            return both;
        }
        return change;
    }

    // ------------------------------------------------------------------ violations, and unknown keys

    private static JobDefinition build(
            String jobName, JobDefinition.Builder builder, Function<InvalidJobDefinitionException, Part> part) {
        try {
            return builder.build();
        } catch (InvalidJobDefinitionException e) {
            String reason =
                    e.violations().stream().map(JobDefinitionCodec::sentence).collect(Collectors.joining("; "));
            throw new UnreadableDefinitionException(jobName, part.apply(e), reason, e);
        }
    }

    /** A parameter is not repeated, because it may be a secret; that it is too long is no secret. */
    private static String sentence(Violation violation) {
        String name = violation.setting();
        return (JobSettings.isParameter(name) || JobSettings.mayHaveSecret(name))
                        && !SIZE.matcher(violation.found()).matches()
                ? "%s is \"%s\", which can't be used".formatted(violation.setting(), Secrets.MASK)
                : violation.toString();
    }

    private static Part partOf(InvalidJobDefinitionException invalid) {
        Set<String> ofExtension = names(EXTENSION);
        return invalid.violations().stream()
                        .allMatch(violation ->
                                ofExtension.contains(violation.setting().split("\\.", 2)[0]))
                ? Part.EXTENSION
                : Part.CONFIG;
    }

    /**
     * Returns a config, or an extension that is the whole definition, with another cron expression; unchanged if it is
     * no JSON.
     */
    public byte[] withCron(byte[] definition, String cron) {
        return object(definition)
                .map(stored -> MAPPER.writeValueAsBytes(stored.put(JobSettings.CRON.name(), cron)))
                .orElse(definition);
    }

    private byte[] withUnknown(ObjectNode known, Optional<byte[]> existing, Set<String> dropped) {
        existing.flatMap(this::object).ifPresent(stored -> keepUnknown(known, stored, dropped));
        return MAPPER.writeValueAsBytes(known);
    }

    private static void keepUnknown(ObjectNode known, ObjectNode stored, Set<String> dropped) {
        stored.properties().forEach(member -> {
            String key = member.getKey();
            if (!known.has(key) && !dropped.contains(key)) {
                known.set(key, member.getValue());
            } else if (GROUPS.contains(key)
                    && known.get(key) instanceof ObjectNode group
                    && member.getValue() instanceof ObjectNode storedGroup) {
                keepUnknown(group, storedGroup, Set.of());
            }
        });
    }

    /** Empty if it is no JSON object. */
    private Optional<ObjectNode> object(byte[] json) {
        try {
            return MAPPER.readTree(json) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }
}
