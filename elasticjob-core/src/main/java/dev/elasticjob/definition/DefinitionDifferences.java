package dev.elasticjob.definition;

import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

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
        differences.addHttp(registry.http(), here.http());
        differences.add("misfireThreshold", registry.misfireThreshold(), here.misfireThreshold());
        differences.add("maxFailovers", registry.maxFailovers(), here.maxFailovers());
        differences.add("timeout", registry.timeout(), here.timeout());
        differences.add("retry", registry.retry(), here.retry());
        differences.add("concurrency", registry.concurrency(), here.concurrency());
        differences.add("runAtStart", registry.runAtStart(), here.runAtStart());
        return List.copyOf(differences.lines);
    }

    private void add(String setting, Object registry, Object here) {
        if (!registry.equals(here)) {
            addLine(setting, registry, here);
        }
    }

    /** Durations as people write them, unless that leaves out the difference. */
    private void add(String setting, Duration registry, Duration here) {
        String there = DurationText.of(registry);
        String ours = DurationText.of(here);
        if (there.equals(ours)) {
            add(setting, (Object) registry, here);
        } else {
            addLine(setting, there, ours);
        }
    }

    /** Setting by setting, without what may be a secret. */
    private void addHttp(Optional<HttpRequestSettings> registry, Optional<HttpRequestSettings> here) {
        if (registry.isEmpty() || here.isEmpty()) {
            add("http", registry, here);
            return;
        }
        var shownHere = here.get().shown();
        registry.get().shown().forEach((name, there) -> {
            var ours = Objects.requireNonNull(shownHere.get(name));
            if (!there.value().equals(ours.value())) {
                addLine("http." + name, there.text(), ours.text());
            }
        });
    }

    private void addLine(String setting, Object registry, Object here) {
        lines.add("%s: \"%s\" in the registry, \"%s\" here".formatted(setting, registry, here));
    }
}
