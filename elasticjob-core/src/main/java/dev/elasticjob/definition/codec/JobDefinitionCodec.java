package dev.elasticjob.definition.codec;

import dev.elasticjob.definition.HandlerProperties;
import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.definition.UnreadableDefinitionException.Part;
import dev.elasticjob.definition.schedule.CronSchedule;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON in which a definition is stored, in two parts: the config, with exactly the keys of Elastic-Job 2.1.5, so
 * that its operators' tools keep working, and the extension, with the settings that 2.1.5 has no key for. The only
 * place that spells these keys, with {@link SettingsCodec}, {@link HandlerProperties}, {@link RetryCodec} and {@link
 * HttpSettingsCodec} for parts of them. Safe for use by any thread.
 *
 * <p>The reader of 2.1.5 is strict where one doesn't expect it, and one refusal breaks its whole list of jobs: it wants
 * a class name for every job, and knows two job properties only. So a job without a class is stored with its kind's
 * interface, and all other job properties are in the extension. A job of a kind that it doesn't know, or without a cron,
 * has no config: its extension is the whole definition, and says so.
 */
public final class JobDefinitionCodec {
    private static final String NAME = "jobName";
    private static final String WHOLE = "whole";
    private static final String TIME_ZONE = "timeZone";
    private static final String MISFIRE_THRESHOLD = "misfireThreshold";
    private static final String MAX_FAILOVERS = "maxFailovers";
    private static final String TIMEOUT = "timeout";
    private static final String CONCURRENCY = "concurrency";
    private static final String RUN_AT_START = "runAtStart";

    /** The types that the reader of 2.1.5 knows. */
    private static final List<JobType> IN_CONFIG = List.of(JobType.SIMPLE, JobType.DATAFLOW, JobType.SCRIPT);

    /** The keys that an extension has only as the whole definition. */
    private static final Set<String> OF_WHOLE = ofWhole();

    /** Settings below a key of their own. */
    private static final Set<String> GROUPS = Set.of(SettingsCodec.HTTP, RetryCodec.RETRY);

    private final JsonMapper mapper = JsonMapper.builder().build();

    /** Whether the extension is the whole definition of such a job, because the reader of 2.1.5 would refuse its config. */
    public boolean isWhole(JobDefinition definition) {
        return definition.isOneOff() || !IN_CONFIG.contains(definition.jobType());
    }

    /** Whether the extension says that it is the whole definition; false for what can't be read. */
    public boolean isWhole(byte[] extension) {
        return object(extension)
                .map(stored -> stored.path(WHOLE).asString(""))
                .filter("true"::equals)
                .isPresent();
    }

    /** Whether this is JSON of the kind that an extension is, whatever it says. */
    public boolean isReadable(byte[] extension) {
        return object(extension).isPresent();
    }

    /**
     * The config.
     *
     * @param existing what the registry holds now; keys in it that nobody knows are kept, at the end
     * @throws IllegalArgumentException when such a job has none
     */
    public byte[] config(JobDefinition definition, Optional<byte[]> existing) {
        if (isWhole(definition)) {
            throw new IllegalArgumentException(
                    "Job \"%s\" has no config: a job of the type %s with the cron \"%s\" is stored in the extension"
                            .formatted(definition.jobName(), definition.jobType(), definition.cron()));
        }
        ObjectNode config = mapper.createObjectNode();
        config.put(NAME, definition.jobName());
        SettingsCodec.putClass(config, definition);
        SettingsCodec.put(config, definition, HandlerProperties.toStore(definition.jobProperties()));
        return withUnknown(config, existing, SettingsCodec.OF_KINDS);
    }

    /**
     * The extension.
     *
     * @param existing what the registry holds now; keys in it that nobody knows are kept, at the end
     */
    public byte[] extension(JobDefinition definition, Optional<byte[]> existing) {
        boolean whole = isWhole(definition);
        ObjectNode extension = mapper.createObjectNode();
        extension.put(WHOLE, whole);
        if (whole) {
            extension.put(SettingsCodec.CLASS, definition.jobClass());
            SettingsCodec.put(extension, definition, definition.jobProperties());
        }
        extension.put(TIME_ZONE, definition.timeZone().getId());
        extension.put(MISFIRE_THRESHOLD, definition.misfireThreshold().toString());
        extension.put(MAX_FAILOVERS, definition.maxFailovers());
        extension.put(TIMEOUT, definition.timeout().toString());
        RetryCodec.write(definition.retry(), extension);
        extension.put(CONCURRENCY, definition.concurrency());
        if (definition.isOneOff()) {
            extension.put(RUN_AT_START, definition.runAtStart());
        }
        if (!whole) {
            ObjectNode properties = extension.putObject(SettingsCodec.PROPERTIES);
            HandlerProperties.others(definition.jobProperties()).forEach(properties::put);
        }
        return withUnknown(extension, existing, whole ? SettingsCodec.OF_KINDS : OF_WHOLE);
    }

    /**
     * Reads a definition that is wholly in the extension; a setting that is missing has its default.
     *
     * @throws UnreadableDefinitionException when it is no definition, or a wrong one
     */
    public DecodedDefinition decodeWhole(String jobName, byte[] extension) {
        StoredSettings settings = StoredSettings.parse(mapper, jobName, Part.EXTENSION, extension);
        List<String> warnings = new ArrayList<>();
        JobDefinition.Builder builder = JobDefinition.builder(jobName);
        SettingsCodec.read(settings, List.of(JobType.values()), builder, warnings);
        settings.group(SettingsCodec.HTTP).map(HttpSettingsCodec::read).ifPresent(builder::http);
        settings.flag(RUN_AT_START).ifPresent(builder::runAtStart);
        readExtension(settings, builder).ifPresent(builder::jobProperties);
        settings.throwFaults();
        return new DecodedDefinition(build(jobName, builder, any -> Part.EXTENSION), warnings);
    }

    /**
     * Reads a definition; a setting that is missing has its default.
     *
     * @throws UnreadableDefinitionException when it is no definition, or a wrong one
     */
    public DecodedDefinition decode(String jobName, byte[] config, Optional<byte[]> extension) {
        return decode(jobName, config, extension, JobDefinition.builder(jobName), Map.of());
    }

    /**
     * Reads a definition. A setting of the extension that is missing is as in the fallback; so one adopts a tree of
     * 2.1.5, which has no extension. A setting of the config that is missing has its default.
     *
     * @param fallback the local definition of the same job
     * @throws UnreadableDefinitionException when it is no definition, or a wrong one
     */
    public DecodedDefinition decode(byte[] config, Optional<byte[]> extension, JobDefinition fallback) {
        JobDefinition.Builder builder = JobDefinition.builder(fallback.jobName())
                .timeZone(fallback.timeZone())
                .misfireThreshold(fallback.misfireThreshold())
                .maxFailovers(fallback.maxFailovers())
                .timeout(fallback.timeout())
                .retry(fallback.retry())
                .concurrency(fallback.concurrency());
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
        StoredSettings settings = StoredSettings.parse(mapper, jobName, Part.CONFIG, config);
        SettingsCodec.read(settings, IN_CONFIG, builder, warnings);
        if (settings.text(SettingsCodec.CRON)
                .filter(Predicate.not(String::isBlank))
                .isEmpty()) {
            settings.fault("cron is missing; expected six fields. Only a job in an extension can have no cron");
        }
        Map<String, String> properties =
                HandlerProperties.said(settings.texts(SettingsCodec.PROPERTIES).orElse(Map.of()));
        settings.throwFaults();
        settings.text(NAME)
                .filter(name -> !name.equals(jobName))
                .ifPresent(name ->
                        warnings.add("jobName in the config is \"%s\", but the job is \"%s\"; jobName is ignored"
                                .formatted(name, jobName)));

        if (extension.isPresent()) {
            StoredSettings further = StoredSettings.parse(mapper, jobName, Part.EXTENSION, extension.get());
            properties.putAll(readExtension(further, builder).orElse(fallbackProperties));
            further.throwFaults();
        } else {
            properties.putAll(fallbackProperties);
            settings.text(SettingsCodec.CRON).flatMap(CronSchedule::quartzDays).ifPresent(warnings::add);
        }
        builder.jobProperties(properties);
        return new DecodedDefinition(build(jobName, builder, JobDefinitionCodec::partOf), warnings);
    }

    private static Optional<Map<String, String>> readExtension(
            StoredSettings extension, JobDefinition.Builder builder) {
        extension
                .parsed(TIME_ZONE, "a time zone such as Europe/Berlin", ZoneId::of)
                .ifPresent(builder::timeZone);
        extension.duration(MISFIRE_THRESHOLD).ifPresent(builder::misfireThreshold);
        extension.number(MAX_FAILOVERS).ifPresent(builder::maxFailovers);
        extension.duration(TIMEOUT).ifPresent(builder::timeout);
        RetryCodec.read(extension).ifPresent(builder::retry);
        extension.number(CONCURRENCY).ifPresent(builder::concurrency);
        return extension.texts(SettingsCodec.PROPERTIES);
    }

    private static JobDefinition build(
            String jobName, JobDefinition.Builder builder, Function<InvalidJobDefinitionException, Part> part) {
        try {
            return builder.build();
        } catch (InvalidJobDefinitionException e) {
            String reason = e.violations().stream().map(Object::toString).collect(Collectors.joining("; "));
            throw new UnreadableDefinitionException(jobName, part.apply(e), reason, e);
        }
    }

    private static Part partOf(InvalidJobDefinitionException invalid) {
        boolean extensionOnly = invalid.violations().stream().allMatch(JobDefinitionCodec::isOfExtension);
        return extensionOnly ? Part.EXTENSION : Part.CONFIG;
    }

    private static boolean isOfExtension(InvalidJobDefinitionException.Violation violation) {
        String setting = violation.setting();
        return setting.startsWith(RetryCodec.RETRY + ".")
                || Set.of(MISFIRE_THRESHOLD, MAX_FAILOVERS, TIMEOUT, CONCURRENCY)
                        .contains(setting);
    }

    /** Whether a handler's name stands for the default: an empty one, and the class names that 2.1.5 writes by itself. */
    public static boolean isDefaultHandler(String name) {
        return HandlerProperties.isDefault(name);
    }

    private static Set<String> ofWhole() {
        Set<String> keys = new HashSet<>(SettingsCodec.KEYS);
        keys.add(RUN_AT_START);
        return Set.copyOf(keys);
    }

    /** A config, or an extension that is the whole definition, with another cron expression; what is no JSON stays. */
    public byte[] withCron(byte[] definition, String cron) {
        return object(definition)
                .map(stored -> mapper.writeValueAsBytes(stored.put(SettingsCodec.CRON, cron)))
                .orElse(definition);
    }

    private byte[] withUnknown(ObjectNode known, Optional<byte[]> existing, Set<String> knownElsewhere) {
        existing.flatMap(this::object).ifPresent(stored -> keepUnknown(known, stored, knownElsewhere));
        return mapper.writeValueAsBytes(known);
    }

    private static void keepUnknown(ObjectNode known, ObjectNode stored, Set<String> knownElsewhere) {
        stored.properties().forEach(member -> {
            String key = member.getKey();
            if (!known.has(key) && !knownElsewhere.contains(key)) {
                known.set(key, member.getValue());
            } else if (GROUPS.contains(key)
                    && known.get(key) instanceof ObjectNode group
                    && member.getValue() instanceof ObjectNode storedGroup) {
                keepUnknown(group, storedGroup, Set.of());
            }
        });
    }

    /** What is no JSON object has nothing to keep. */
    private Optional<ObjectNode> object(byte[] json) {
        try {
            return mapper.readTree(json) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }
}
