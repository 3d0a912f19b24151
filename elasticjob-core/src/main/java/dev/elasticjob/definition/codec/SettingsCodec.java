package dev.elasticjob.definition.codec;

import dev.elasticjob.definition.ItemParameters;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.SimpleJob;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/**
 * The settings for which 2.1.5 has keys, and what is particular to a kind: in the config, or for a job that has none, in
 * the extension.
 */
final class SettingsCodec {
    static final String CLASS = "jobClass";
    private static final String TYPE = "jobType";
    static final String CRON = "cron";
    private static final String TOTAL_COUNT = "shardingTotalCount";
    private static final String ITEM_PARAMETERS = "shardingItemParameters";
    private static final String PARAMETER = "jobParameter";
    private static final String FAILOVER = "failover";
    private static final String MISFIRE = "misfire";
    private static final String DESCRIPTION = "description";
    static final String PROPERTIES = "jobProperties";
    private static final String STREAMING = "streamingProcess";
    private static final String COMMAND_LINE = "scriptCommandLine";
    private static final String MONITORED = "monitorExecution";
    private static final String MAX_TIME_DIFF = "maxTimeDiffSeconds";
    private static final String MONITOR_PORT = "monitorPort";
    private static final String STRATEGY = "jobShardingStrategyClass";
    private static final String RECONCILE_INTERVAL = "reconcileIntervalMinutes";
    private static final String DISABLED = "disabled";
    private static final String OVERWRITE = "overwrite";
    static final String HTTP = "http";

    /** The keys of the kinds: each is there for its kind only. */
    static final Set<String> OF_KINDS = Set.of(STREAMING, COMMAND_LINE, HTTP);

    /** All of them. */
    static final Set<String> KEYS = Set.of(
            CLASS,
            TYPE,
            CRON,
            TOTAL_COUNT,
            ITEM_PARAMETERS,
            PARAMETER,
            FAILOVER,
            MISFIRE,
            DESCRIPTION,
            STREAMING,
            COMMAND_LINE,
            HTTP,
            MONITORED,
            MAX_TIME_DIFF,
            MONITOR_PORT,
            STRATEGY,
            RECONCILE_INTERVAL,
            DISABLED,
            OVERWRITE);

    private SettingsCodec() {}

    /** A config has always one. */
    static void putClass(ObjectNode config, JobDefinition definition) {
        config.put(CLASS, definition.jobClass().isEmpty() ? noClass(definition.jobType()) : definition.jobClass());
    }

    /** All but the name and the class. */
    static void put(ObjectNode node, JobDefinition definition, Map<String, String> properties) {
        node.put(TYPE, definition.jobType().name());
        node.put(CRON, definition.cron());
        node.put(TOTAL_COUNT, definition.shardingTotalCount());
        node.put(ITEM_PARAMETERS, definition.shardingItemParameters());
        node.put(PARAMETER, definition.jobParameter());
        node.put(FAILOVER, definition.failover());
        node.put(MISFIRE, definition.misfire());
        node.put(DESCRIPTION, definition.description());
        ObjectNode stored = node.putObject(PROPERTIES);
        properties.forEach(stored::put);
        switch (definition.jobType()) {
            case SIMPLE -> {}
            case DATAFLOW -> node.put(STREAMING, definition.streamingProcess());
            case SCRIPT -> node.put(COMMAND_LINE, definition.scriptCommandLine());
            case HTTP -> definition.http().ifPresent(request -> HttpSettingsCodec.write(request, node.putObject(HTTP)));
        }
        node.put(MONITORED, definition.monitorExecution());
        node.put(MAX_TIME_DIFF, definition.maxTimeDiffSeconds());
        node.put(MONITOR_PORT, definition.monitorPort());
        node.put(STRATEGY, definition.jobShardingStrategyClass());
        node.put(RECONCILE_INTERVAL, definition.reconcileIntervalMinutes());
        node.put(DISABLED, definition.disabled());
        node.put(OVERWRITE, definition.overwrite());
    }

    static void read(
            StoredSettings settings, List<JobType> types, JobDefinition.Builder builder, List<String> warnings) {
        readPlain(settings, builder);
        readKind(settings, types, builder);
        readFailover(settings, builder, warnings);
        readItems(settings, builder, warnings);
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

    private static void readKind(StoredSettings config, List<JobType> types, JobDefinition.Builder builder) {
        if (config.text(TYPE).isEmpty()) {
            config.fault("jobType is missing; expected one of " + types);
        }
        config.parsed(TYPE, "one of " + types, text -> types.get(types.indexOf(JobType.valueOf(text))))
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
            warnings.add("failover is true, but monitorExecution is false; failover stays off, because it needs the"
                    + " records that monitorExecution writes");
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
                    "shardingItemParameters names items %s, but there are only %d items; their parameters are ignored"
                            .formatted(beyond, count));
            builder.shardingItemParameters(parameters.byItem().entrySet().stream()
                    .filter(parameter -> !beyond.contains(parameter.getKey()))
                    .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
                    .collect(Collectors.joining(",")));
        }
    }

    private static String noClass(JobType type) {
        return switch (type) {
            case SIMPLE -> SimpleJob.class.getName();
            case DATAFLOW -> DataflowJob.class.getName();
            case SCRIPT -> "com.dangdang.ddframe.job.api.script.ScriptJob";
            case HTTP -> "";
        };
    }
}
