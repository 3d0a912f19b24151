package dev.elasticjob.definition;

import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.SimpleJob;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Jobs whose work is code of the application.
 *
 * @param stands for the class of a job without one
 * @param named the names of the code that the registry may refer to
 * @param other the type of the other jobs with code
 */
record CodeRules(JobType type, Class<?> stands, Function<TrustedWork, Set<String>> named, JobType other)
        implements KindRules {
    static CodeRules simple() {
        return new CodeRules(
                JobType.SIMPLE, SimpleJob.class, trust -> trust.simpleJobs().keySet(), JobType.DATAFLOW);
    }

    static CodeRules dataflow() {
        return new CodeRules(
                JobType.DATAFLOW,
                DataflowJob.class,
                trust -> trust.dataflowJobs().keySet(),
                JobType.SIMPLE);
    }

    @Override
    public boolean isWithoutCode() {
        return false;
    }

    @Override
    public List<Setting<?>> settings() {
        return type.equals(JobType.DATAFLOW) ? List.of(JobSettings.STREAMING_PROCESS) : List.of();
    }

    @Override
    public Optional<String> classInConfig() {
        return Optional.of(stands.getName());
    }

    @Override
    public Work work(JobDefinition job) {
        return Work.of("bean", job.jobClass());
    }

    @Override
    public String workSetting() {
        return JobSettings.JOB_CLASS.name();
    }

    @Override
    public JobDefinition withWorkOf(JobDefinition declared, JobDefinition stored) {
        return stored.toBuilder().jobClass(declared.jobClass()).build();
    }

    @Override
    public Optional<String> objection(JobDefinition kept, TrustedWork trust) {
        String name = kept.jobClass();
        if (named.apply(trust).contains(name)) {
            return Optional.empty();
        }
        boolean ofOtherType = KindRules.of(other) instanceof CodeRules rules
                && rules.named.apply(trust).contains(name);
        return Optional.of(
                ofOtherType
                        ? "the job has the type %s, but the bean \"%s\" of this instance is for jobs of the type %s"
                                .formatted(type, name, other)
                        : "\"elasticjob.registry-jobs.allowed-beans\" of this instance doesn't contain \"%s\""
                                .formatted(name));
    }
}
