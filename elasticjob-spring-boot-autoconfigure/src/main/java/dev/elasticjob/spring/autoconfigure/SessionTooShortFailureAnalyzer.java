package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.registry.SessionTooShortException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class SessionTooShortFailureAnalyzer extends AbstractFailureAnalyzer<SessionTooShortException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SessionTooShortException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.remedy(), cause);
    }
}
