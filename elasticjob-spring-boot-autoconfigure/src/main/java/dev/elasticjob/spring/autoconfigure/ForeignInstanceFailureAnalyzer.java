package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.ForeignInstanceException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class ForeignInstanceFailureAnalyzer extends AbstractFailureAnalyzer<ForeignInstanceException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ForeignInstanceException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Stop the instances named above, then start this application again. If they have to keep running, use"
                        + " a namespace of your own (\"elasticjob.registry.namespace\").",
                cause);
    }
}
