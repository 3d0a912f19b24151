package dev.elasticjob.definition.codec;

import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.ItemParameters;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.KindRules;
import dev.elasticjob.definition.Overlap;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Makes a definition of what the tools of 2.1.5 leave in a config: they change a setting without those that belong to it.
 *
 * @param warnings receives what is ignored
 */
record Leniency(StoredSettings config, JobDefinition.Builder builder, List<String> warnings) {
    void inConfig() {
        JobSettings.JOB_TYPE
                .read(config)
                .filter(type -> JobSettings.JOB_CLASS
                        .read(config)
                        .filter(noClass(type)::equals)
                        .isPresent())
                .ifPresent(type -> builder.jobClass(""));
        if (JobSettings.FAILOVER.read(config).orElse(false) && !isMonitored()) {
            warnings.add("failover is true, but monitorExecution is false; failover stays off, because it needs the"
                    + " records that monitorExecution writes");
            builder.failover(false);
        }
        if (!isMonitored()) {
            builder.expectWithin(Duration.ZERO)
                    .pauseAfterFailures(0)
                    .overlap(Overlap.WAIT)
                    .jitter(Duration.ZERO);
            misfireAlone();
        }
        itemsBeyond();
    }

    /** Call it when both parts were read. */
    void inExtension(StoredSettings extension) {
        if (!isMonitored() && JobSettings.EXPECT_WITHIN.read(extension).isPresent()) {
            warnings.add(
                    "expectWithin is set, but monitorExecution is false; expectWithin is ignored, because it needs the"
                            + " records that monitorExecution writes");
            builder.expectWithin(Duration.ZERO);
        }
        if (!isMonitored() && JobSettings.PAUSE_AFTER_FAILURES.read(extension).isPresent()) {
            warnings.add("pauseAfterFailures is set, but monitorExecution is false; pauseAfterFailures is ignored,"
                    + " because it needs the records that monitorExecution writes");
            builder.pauseAfterFailures(0);
        }
        catchUp(extension);
        if (!isMonitored() && JobSettings.JITTER.read(extension).isPresent()) {
            warnings.add("jitter is set, but monitorExecution is false; jitter is ignored, because it needs the records"
                    + " that monitorExecution writes");
            builder.jitter(Duration.ZERO);
        }
        if (!isMonitored()
                && JobSettings.OVERLAP
                        .read(extension)
                        .filter(Overlap.CANCEL_RUNNING::equals)
                        .isPresent()) {
            warnings.add(
                    "overlap is CANCEL_RUNNING, but monitorExecution is false; firings wait for the execution, because"
                            + " a cancellation stands in the record that monitorExecution writes");
            builder.overlap(Overlap.WAIT);
        }
    }

    void ofName(String key, String jobName) {
        config.text(key)
                .filter(name -> !name.equals(jobName))
                .ifPresent(name ->
                        warnings.add("jobName in the config is \"%s\", but the job is \"%s\"; jobName is ignored"
                                .formatted(name, jobName)));
    }

    /** The tools of 2.1.5 know misfire alone. */
    private void catchUp(StoredSettings extension) {
        boolean each = JobSettings.CATCH_UP
                .read(extension)
                .filter(CatchUp.EACH::equals)
                .isPresent();
        boolean misfire = JobSettings.MISFIRE.read(config).orElse(JobSettings.MISFIRE.standard());
        if (each && !misfire) {
            warnings.add("misfire is false, so catchUp EACH is ignored: missed firings are lost");
            misfireAlone();
        } else if (each && !isMonitored()) {
            warnings.add(
                    "catchUp is EACH, but monitorExecution is false; catchUp is ignored, because it needs the records"
                            + " that monitorExecution writes");
            misfireAlone();
        }
    }

    private void misfireAlone() {
        builder.catchUp(CatchUp.BY_MISFIRE)
                .catchUpLimit(JobSettings.CATCH_UP_LIMIT.standard())
                .catchUpWindow(Duration.ZERO);
    }

    private boolean isMonitored() {
        return JobSettings.MONITOR_EXECUTION.read(config).orElse(true);
    }

    /** The tools of 2.1.5 lower the count without removing the parameters of removed items. */
    private void itemsBeyond() {
        int count = JobSettings.SHARDING_TOTAL_COUNT.read(config).orElse(1);
        ItemParameters parameters = ItemParameters.parse(
                JobSettings.SHARDING_ITEM_PARAMETERS.read(config).orElse(""));
        List<Integer> beyond = parameters.beyond(count);
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

    /** What stands for the class of a job without one: 2.1.5 requires one. */
    static String noClass(JobType type) {
        return KindRules.of(type).classInConfig().orElse("");
    }
}
