package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.InvalidJobDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Describes violations that only an engine of the application itself can find. */
final class InvalidJobDefinitionFailureAnalyzer extends AbstractFailureAnalyzer<InvalidJobDefinitionException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidJobDefinitionException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Correct the settings listed above, in @ElasticJob or below \"elasticjob.jobs.%s\"."
                        .formatted(cause.jobName()),
                cause);
    }
}
