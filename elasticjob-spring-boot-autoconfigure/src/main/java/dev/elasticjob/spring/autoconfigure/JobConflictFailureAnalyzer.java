package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.JobConflictException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what to do when a job's name belongs to a job of another type in the registry. */
final class JobConflictFailureAnalyzer extends AbstractFailureAnalyzer<JobConflictException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, JobConflictException cause) {
        String name = cause.jobName();
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Change the job's name here, or use a namespace of your own (\"elasticjob.registry.namespace\"). If"
                        + " the job has changed its type, set \"elasticjob.jobs.%s.overwrite\" to true for one start, which"
                                .formatted(name)
                        + " also replaces what operators have changed.",
                cause);
    }
}
