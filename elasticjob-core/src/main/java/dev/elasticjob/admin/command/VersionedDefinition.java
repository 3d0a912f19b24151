package dev.elasticjob.admin.command;

import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.KindRules;
import dev.elasticjob.definition.Setting;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.job.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A stored definition and its version. Immutable.
 *
 * @param version changes with every change of the stored definition, also if the job is removed and registered again
 * @param kept whether the job is kept in the registry: no application declares it
 */
public record VersionedDefinition(JobDefinition definition, String version, boolean kept) {
    private static final JobDefinitionCodec CODEC = new JobDefinitionCodec();

    /** The settings by name; HTTP headers, the body and job properties with names like "password" are masked. */
    public Map<String, Object> settings() {
        return CODEC.settings(definition);
    }

    /** The same for people who may look but not operate: without parameters, and without texts that mention a secret. */
    public Map<String, Object> settingsWithoutParameters() {
        return CODEC.settingsWithoutParameters(definition);
    }

    /** The definition as a block of {@code application.yml}: what differs from the defaults, with the same masked. */
    public String yaml() {
        return CODEC.yaml(definition);
    }

    /** The same for people who may look but not operate. */
    public String yamlWithoutParameters() {
        return CODEC.yamlWithoutParameters(definition);
    }

    /**
     * Applies a change.
     *
     * @throws InvalidJobDefinitionException if the result is another job: one with another name or type, or stored in
     *     other nodes
     */
    public JobDefinition changed(UnaryOperator<JobDefinition> change) {
        JobDefinition after = applied(definition, change);
        mustBeTheSameJob(definition, after);
        if (!after.jobShardingStrategyClass().equals(definition.jobShardingStrategyClass())) {
            DefinitionCommands.mustBeKnown(after);
        }
        return after;
    }

    /**
     * Applies a change of an operator.
     *
     * @throws InvalidJobDefinitionException also if it changes what only the application decides: a command line, an address
     *     or the like, which instances follow for jobs that are kept in the registry, within their limits
     */
    JobDefinition changedByOperator(UnaryOperator<JobDefinition> change) {
        JobDefinition after = changed(change);
        KindRules kind = KindRules.of(after.jobType());
        if (!kept
                && kind.isWithoutCode()
                && !kind.work(after).value().equals(kind.work(definition).value())) {
            throw new InvalidJobDefinitionException(
                    after.jobName(),
                    List.of(new Violation(
                            kind.workSetting(),
                            kind.work(after).text(),
                            "the application that declares the job decides the %s, so its instances would not follow this: change it there. Only of jobs that are kept in the registry, it can be changed here"
                                    .formatted(kind.work(after).called()))));
        }
        return after;
    }

    private static void mustBeTheSameJob(JobDefinition before, JobDefinition after) {
        List<Violation> violations = new ArrayList<>();
        if (!after.jobName().equals(before.jobName())) {
            violations.add(new Violation(
                    "jobName",
                    after.jobName(),
                    "job \"%s\" can't be renamed: register a new job instead".formatted(before.jobName())));
        }
        if (!after.jobType().equals(before.jobType())) {
            violations.add(new Violation(
                    JobSettings.JOB_TYPE.name(),
                    after.jobType().name(),
                    "it can't be changed from %s here: change the type in the job's application"
                            .formatted(before.jobType())));
        }
        if (after.isOneOff() != before.isOneOff()) {
            Setting<?> schedule = scheduleOf(before.isOneOff() ? after : before);
            violations.add(new Violation(
                    schedule.name(),
                    schedule.shown(after),
                    (before.isOneOff()
                                    ? "a job without a schedule can't get one here: %s. Start the job's application with it and"
                                            + " overwrite=true"
                                    : "a job can't lose its only schedule here: %s. Set another one, or start the job's"
                                            + " application without it and overwrite=true")
                            .formatted(reason(after))));
        }
        if (!violations.isEmpty()) {
            throw new InvalidJobDefinitionException(before.jobName(), violations);
        }
    }

    private static Setting<?> scheduleOf(JobDefinition job) {
        return JobSettings.SCHEDULES.stream()
                .<Setting<?>>map(setting -> setting)
                .filter(setting -> !setting.isStandard(job))
                .findFirst()
                .orElse(JobSettings.CRON);
    }

    /** Jobs of some kinds are stored whole, whether or not they have a cron. */
    private static String reason(JobDefinition job) {
        return KindRules.of(job.jobType()).classInConfig().isPresent()
                ? "jobs with and without a cron are stored in different nodes"
                : "a job that runs on request is another one than a job that has firings";
    }

    /** The failure must be printable: a stage renders it, and would never complete if that failed. */
    private static JobDefinition applied(JobDefinition before, UnaryOperator<JobDefinition> change) {
        try {
            return change.apply(before);
        } catch (Throwable e) {
            Throwable printable = Failures.printable(e);
            throw printable instanceof RuntimeException known ? known : new IllegalStateException(printable);
        }
    }
}
