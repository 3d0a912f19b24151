package dev.elasticjob.definition;

import dev.elasticjob.definition.UnreadableDefinitionException.Part;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.SimpleJob;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON in which a definition is stored, in two parts: the config, with exactly the keys of Elastic-Job 2.1.5, so
 * that its operators' tools keep working, and the extension, with the settings that 2.1.5 has no key for. The only
 * place that spells these keys, with {@link RetryCodec} for one object of them. Safe for use by any thread.
 *
 * <p>The reader of 2.1.5 is strict where one doesn't expect it, and one refusal breaks its whole list of jobs: it wants
 * a class name for every job, and knows two job properties only. So a job without a class is stored with its kind's
 * interface, and all other job properties are in the extension.
 */
public final class JobDefinitionCodec {
    private static final String NAME = "jobName";
    private static final String CLASS = "jobClass";
    private static final String TYPE = "jobType";
    private static final String CRON = "cron";
    private static final String TOTAL_COUNT = "shardingTotalCount";
    private static final String ITEM_PARAMETERS = "shardingItemParameters";
    private static final String PARAMETER = "jobParameter";
    private static final String FAILOVER = "failover";
    private static final String MISFIRE = "misfire";
    private static final String DESCRIPTION = "description";
    private static final String PROPERTIES = "jobProperties";
    private static final String STREAMING = "streamingProcess";
    private static final String COMMAND_LINE = "scriptCommandLine";
    private static final String MONITORED = "monitorExecution";
    private static final String MAX_TIME_DIFF = "maxTimeDiffSeconds";
    private static final String MONITOR_PORT = "monitorPort";
    private static final String STRATEGY = "jobShardingStrategyClass";
    private static final String RECONCILE_INTERVAL = "reconcileIntervalMinutes";
    private static final String DISABLED = "disabled";
    private static final String OVERWRITE = "overwrite";

    private static final String WHOLE = "whole";
    private static final String TIME_ZONE = "timeZone";
    private static final String MISFIRE_THRESHOLD = "misfireThreshold";
    private static final String MAX_FAILOVERS = "maxFailovers";
    private static final String TIMEOUT = "timeout";
    private static final String CONCURRENCY = "concurrency";

    static final String EXCEPTION_HANDLER = "job_exception_handler";
    static final String EXECUTOR_HANDLER = "executor_service_handler";

    /** What 2.1.5 writes for a job that doesn't say how it wants these two. Read as not said. */
    private static final Map<String, String> HANDLERS = handlers();

    /** Seen in the wild for {@link #HANDLERS}. */
    private static final Map<String, String> OTHER_SPELLINGS = Map.of(
            "jobexceptionhandler", EXCEPTION_HANDLER,
            "executorservicehandler", EXECUTOR_HANDLER);

    private final JsonMapper mapper = JsonMapper.builder().build();

    /**
     * The config.
     *
     * @param existing what the registry holds now; keys in it that nobody knows are kept, at the end
     */
    public byte[] config(JobDefinition definition, Optional<byte[]> existing) {
        ObjectNode config = mapper.createObjectNode();
        config.put(NAME, definition.jobName());
        config.put(CLASS, definition.jobClass().isEmpty() ? noClass(definition.jobType()) : definition.jobClass());
        config.put(TYPE, definition.jobType().name());
        config.put(CRON, definition.cron());
        config.put(TOTAL_COUNT, definition.shardingTotalCount());
        config.put(ITEM_PARAMETERS, definition.shardingItemParameters());
        config.put(PARAMETER, definition.jobParameter());
        config.put(FAILOVER, definition.failover());
        config.put(MISFIRE, definition.misfire());
        config.put(DESCRIPTION, definition.description());
        ObjectNode properties = config.putObject(PROPERTIES);
        HANDLERS.forEach(
                (key, notSaid) -> properties.put(key, definition.jobProperties().getOrDefault(key, notSaid)));
        switch (definition.jobType()) {
            case SIMPLE -> {}
            case DATAFLOW -> config.put(STREAMING, definition.streamingProcess());
            case SCRIPT -> config.put(COMMAND_LINE, definition.scriptCommandLine());
        }
        config.put(MONITORED, definition.monitorExecution());
        config.put(MAX_TIME_DIFF, definition.maxTimeDiffSeconds());
        config.put(MONITOR_PORT, definition.monitorPort());
        config.put(STRATEGY, definition.jobShardingStrategyClass());
        config.put(RECONCILE_INTERVAL, definition.reconcileIntervalMinutes());
        config.put(DISABLED, definition.disabled());
        config.put(OVERWRITE, definition.overwrite());
        return withUnknown(config, existing, Set.of(STREAMING, COMMAND_LINE));
    }

    /**
     * The extension.
     *
     * @param existing what the registry holds now; keys in it that nobody knows are kept, at the end
     */
    public byte[] extension(JobDefinition definition, Optional<byte[]> existing) {
        ObjectNode extension = mapper.createObjectNode();
        extension.put(WHOLE, false);
        extension.put(TIME_ZONE, definition.timeZone().getId());
        extension.put(MISFIRE_THRESHOLD, definition.misfireThreshold().toString());
        extension.put(MAX_FAILOVERS, definition.maxFailovers());
        extension.put(TIMEOUT, definition.timeout().toString());
        RetryCodec.write(definition.retry(), extension);
        extension.put(CONCURRENCY, definition.concurrency());
        ObjectNode properties = extension.putObject(PROPERTIES);
        otherProperties(definition.jobProperties()).forEach(properties::put);
        return withUnknown(extension, existing, Set.of());
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
        return decode(fallback.jobName(), config, extension, builder, otherProperties(fallback.jobProperties()));
    }

    private DecodedDefinition decode(
            String jobName,
            byte[] config,
            Optional<byte[]> extension,
            JobDefinition.Builder builder,
            Map<String, String> fallbackProperties) {
        List<String> warnings = new ArrayList<>();
        StoredSettings settings = StoredSettings.parse(mapper, jobName, Part.CONFIG, config);
        readPlain(settings, builder);
        readKind(settings, builder);
        readFailover(settings, builder, warnings);
        readItems(settings, builder, warnings);
        Map<String, String> properties = configProperties(settings);
        settings.throwFaults();
        settings.text(NAME)
                .filter(name -> !name.equals(jobName))
                .ifPresent(name -> warnings.add(
                        "jobName in the config is \"%s\"; ignored, the job is \"%s\"".formatted(name, jobName)));

        if (extension.isPresent()) {
            StoredSettings further = StoredSettings.parse(mapper, jobName, Part.EXTENSION, extension.get());
            properties.putAll(readExtension(further, builder).orElse(fallbackProperties));
            readExecution(further, builder);
            further.throwFaults();
        } else {
            properties.putAll(fallbackProperties);
            settings.text(CRON).ifPresent(cron -> warnOfQuartzDays(cron, warnings));
        }
        builder.jobProperties(properties);
        return new DecodedDefinition(build(jobName, builder), warnings);
    }

    private static void readPlain(StoredSettings config, JobDefinition.Builder builder) {
        config.text(CRON).ifPresent(builder::cron);
        config.text(PARAMETER).ifPresent(builder::jobParameter);
        config.flag(MISFIRE).ifPresent(builder::misfire);
        config.text(DESCRIPTION).ifPresent(builder::description);
        config.number(MAX_TIME_DIFF).ifPresent(builder::maxTimeDiffSeconds);
        config.number(MONITOR_PORT).ifPresent(builder::monitorPort);
        config.text(STRATEGY).ifPresent(builder::jobShardingStrategyClass);
        config.number(RECONCILE_INTERVAL).ifPresent(builder::reconcileIntervalMinutes);
        config.flag(DISABLED).ifPresent(builder::disabled);
        config.flag(OVERWRITE).ifPresent(builder::overwrite);
    }

    private static void readKind(StoredSettings config, JobDefinition.Builder builder) {
        if (config.text(TYPE).isEmpty()) {
            config.fault("jobType is missing, expected is one of " + List.of(JobType.values()));
        }
        config.parsed(TYPE, "one of " + List.of(JobType.values()), JobType::valueOf)
                .ifPresent(type -> {
                    builder.jobType(type);
                    config.text(CLASS)
                            .filter(name -> !name.equals(noClass(type)))
                            .ifPresent(builder::jobClass);
                });
        config.flag(STREAMING).ifPresent(builder::streamingProcess);
        config.text(COMMAND_LINE).ifPresent(builder::scriptCommandLine);
    }

    private static void readFailover(StoredSettings config, JobDefinition.Builder builder, List<String> warnings) {
        boolean failover = config.flag(FAILOVER).orElse(false);
        boolean monitored = config.flag(MONITORED).orElse(true);
        if (failover && !monitored) {
            warnings.add("failover is true and monitorExecution false; failover is off, as it finds interrupted items"
                    + " by what monitorExecution records");
        }
        builder.failover(failover && monitored).monitorExecution(monitored);
    }

    /** Tolerates parameters of items that are gone: 2.1.5's tools lower the count and leave the parameters alone. */
    private static void readItems(StoredSettings config, JobDefinition.Builder builder, List<String> warnings) {
        int count = config.number(TOTAL_COUNT).orElse(1);
        String text = config.text(ITEM_PARAMETERS).orElse("");
        ItemParameters parameters = ItemParameters.parse(text);
        List<Integer> beyond = parameters.beyond(count);
        builder.shardingTotalCount(count).shardingItemParameters(text);
        if (count > 0 && parameters.faults().isEmpty() && !beyond.isEmpty()) {
            warnings.add(
                    "shardingItemParameters names items %s, of which there are only %d; their parameters are ignored"
                            .formatted(beyond, count));
            builder.shardingItemParameters(parameters.byItem().entrySet().stream()
                    .filter(parameter -> !beyond.contains(parameter.getKey()))
                    .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
                    .collect(Collectors.joining(",")));
        }
    }

    /** Those of the config. A value that 2.1.5 writes by itself counts as not said. */
    private static Map<String, String> configProperties(StoredSettings config) {
        Map<String, String> properties = new LinkedHashMap<>();
        Map<String, String> stored = config.texts(PROPERTIES).orElse(Map.of());
        stored.forEach((key, value) -> properties.put(OTHER_SPELLINGS.getOrDefault(key, key), value));
        stored.forEach(properties::replace);
        HANDLERS.forEach(properties::remove);
        return properties;
    }

    private static Optional<Map<String, String>> readExtension(
            StoredSettings extension, JobDefinition.Builder builder) {
        if (extension.flag(WHOLE).orElse(false)) {
            extension.fault("whole is true, which this version doesn't know: upgrade it");
        }
        extension
                .parsed(TIME_ZONE, "a time zone such as Europe/Berlin", ZoneId::of)
                .ifPresent(builder::timeZone);
        extension.duration(MISFIRE_THRESHOLD).ifPresent(builder::misfireThreshold);
        extension.number(MAX_FAILOVERS).ifPresent(builder::maxFailovers);
        return extension.texts(PROPERTIES);
    }

    private static void readExecution(StoredSettings extension, JobDefinition.Builder builder) {
        extension.duration(TIMEOUT).ifPresent(builder::timeout);
        RetryCodec.read(extension).ifPresent(builder::retry);
        extension.number(CONCURRENCY).ifPresent(builder::concurrency);
    }

    private static void warnOfQuartzDays(String cron, List<String> warnings) {
        String[] fields = cron.strip().split("\\s+");
        if (fields.length == 6 && fields[5].replaceAll("[#/]\\d+", "").matches(".*\\d.*")) {
            warnings.add(("cron \"%s\" gives days of the week as numbers: 2.1.5 counted from SUN=1, here MON is 1;"
                            + " write them as names")
                    .formatted(cron));
        }
    }

    private static JobDefinition build(String jobName, JobDefinition.Builder builder) {
        try {
            return builder.build();
        } catch (InvalidJobDefinitionException e) {
            boolean extensionOnly = e.violations().stream().allMatch(JobDefinitionCodec::isOfExtension);
            String reason = e.violations().stream().map(Object::toString).collect(Collectors.joining("; "));
            throw new UnreadableDefinitionException(jobName, extensionOnly ? Part.EXTENSION : Part.CONFIG, reason, e);
        }
    }

    private static boolean isOfExtension(InvalidJobDefinitionException.Violation violation) {
        String setting = violation.setting();
        return setting.startsWith(RetryCodec.RETRY + ".")
                || Set.of(MISFIRE_THRESHOLD, MAX_FAILOVERS, TIMEOUT, CONCURRENCY)
                        .contains(setting);
    }

    /** The value of a handler's key; empty where it is missing or what 2.1.5 writes by itself. */
    static String said(Map<String, String> properties, String handler) {
        String value = properties.getOrDefault(handler, "").strip();
        return isDefault(value) ? "" : value;
    }

    /** Whether a handler's name stands for the default: an empty one, and the class names that 2.1.5 writes by itself. */
    public static boolean isDefault(String handler) {
        return handler.isBlank() || HANDLERS.containsValue(handler.strip());
    }

    private static Map<String, String> otherProperties(Map<String, String> properties) {
        Map<String, String> others = new LinkedHashMap<>(properties);
        others.keySet().removeAll(HANDLERS.keySet());
        return others;
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
            } else if (key.equals(RetryCodec.RETRY)
                    && known.get(key) instanceof ObjectNode retry
                    && member.getValue() instanceof ObjectNode storedRetry) {
                keepUnknown(retry, storedRetry, Set.of());
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

    private static String noClass(JobType type) {
        return switch (type) {
            case SIMPLE -> SimpleJob.class.getName();
            case DATAFLOW -> DataflowJob.class.getName();
            case SCRIPT -> "com.dangdang.ddframe.job.api.script.ScriptJob";
        };
    }

    private static Map<String, String> handlers() {
        Map<String, String> handlers = new LinkedHashMap<>();
        String prefix = "com.dangdang.ddframe.job.executor.handler.impl.Default";
        handlers.put(EXCEPTION_HANDLER, prefix + "JobExceptionHandler");
        handlers.put(EXECUTOR_HANDLER, prefix + "ExecutorServiceHandler");
        return handlers;
    }
}
