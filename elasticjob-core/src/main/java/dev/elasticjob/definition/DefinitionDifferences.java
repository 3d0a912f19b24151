package dev.elasticjob.definition;

import java.util.ArrayList;
import java.util.List;

/** In what two definitions of a job differ, one line each. */
final class DefinitionDifferences {
    private final List<String> lines = new ArrayList<>();

    private DefinitionDifferences() {}

    static List<String> between(JobDefinition registry, JobDefinition here) {
        var differences = new DefinitionDifferences();
        differences.add("jobClass", registry.jobClass(), here.jobClass());
        differences.add("jobType", registry.jobType(), here.jobType());
        differences.add("cron", registry.cron(), here.cron());
        differences.add("timeZone", registry.timeZone(), here.timeZone());
        differences.add("shardingTotalCount", registry.shardingTotalCount(), here.shardingTotalCount());
        differences.add("shardingItemParameters", registry.shardingItemParameters(), here.shardingItemParameters());
        differences.add("jobParameter", registry.jobParameter(), here.jobParameter());
        differences.add("failover", registry.failover(), here.failover());
        differences.add("misfire", registry.misfire(), here.misfire());
        differences.add("description", registry.description(), here.description());
        differences.add("jobProperties", registry.jobProperties(), here.jobProperties());
        differences.add("monitorExecution", registry.monitorExecution(), here.monitorExecution());
        differences.add("maxTimeDiffSeconds", registry.maxTimeDiffSeconds(), here.maxTimeDiffSeconds());
        differences.add("monitorPort", registry.monitorPort(), here.monitorPort());
        differences.add(
                "jobShardingStrategyClass", registry.jobShardingStrategyClass(), here.jobShardingStrategyClass());
        differences.add(
                "reconcileIntervalMinutes", registry.reconcileIntervalMinutes(), here.reconcileIntervalMinutes());
        differences.add("disabled", registry.disabled(), here.disabled());
        differences.add("overwrite", registry.overwrite(), here.overwrite());
        differences.add("streamingProcess", registry.streamingProcess(), here.streamingProcess());
        differences.add("scriptCommandLine", registry.scriptCommandLine(), here.scriptCommandLine());
        differences.add("misfireThreshold", registry.misfireThreshold(), here.misfireThreshold());
        differences.add("maxFailovers", registry.maxFailovers(), here.maxFailovers());
        differences.add("timeout", registry.timeout(), here.timeout());
        differences.add("retry", registry.retry(), here.retry());
        differences.add("concurrency", registry.concurrency(), here.concurrency());
        return List.copyOf(differences.lines);
    }

    private void add(String setting, Object registry, Object here) {
        if (!registry.equals(here)) {
            lines.add("%s: registry has \"%s\", here is \"%s\"".formatted(setting, registry, here));
        }
    }
}
