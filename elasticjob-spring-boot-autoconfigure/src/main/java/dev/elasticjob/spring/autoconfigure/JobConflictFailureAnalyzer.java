package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.JobConflictException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class JobConflictFailureAnalyzer extends AbstractFailureAnalyzer<JobConflictException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, JobConflictException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                ("Change the job's name here, or use a namespace of your own (\"elasticjob.registry.namespace\"). If the"
                                + " job's type has changed, set \"elasticjob.jobs.%s.overwrite\" to true for one start while"
                                + " no instance of the other type runs. This also replaces what operators have changed.")
                        .formatted(cause.jobName()),
                cause);
    }
}
