package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.registry.curator.RegistryUnreachableException;
import dev.elasticjob.time.DurationText;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what to do when no ZooKeeper answers at start-up. */
final class RegistryUnreachableFailureAnalyzer extends AbstractFailureAnalyzer<RegistryUnreachableException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, RegistryUnreachableException cause) {
        return new FailureAnalysis(
                "No ZooKeeper answered at \"%s\" within %s."
                        .formatted(cause.connectString(), DurationText.of(cause.timeout())),
                "Check that the servers run and can be reached from here, and that"
                        + " \"elasticjob.registry.connect-string\" names them. If they are only slow to answer, raise"
                        + " \"elasticjob.registry.connection-timeout\".",
                cause);
    }
}
