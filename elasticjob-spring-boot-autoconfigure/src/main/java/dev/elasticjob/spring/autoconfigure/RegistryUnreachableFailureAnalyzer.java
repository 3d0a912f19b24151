package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.registry.curator.RegistryUnreachableException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what to do when no ZooKeeper answers at start-up. */
final class RegistryUnreachableFailureAnalyzer extends AbstractFailureAnalyzer<RegistryUnreachableException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, RegistryUnreachableException cause) {
        return new FailureAnalysis(
                "No ZooKeeper answered at \"%s\" within %d ms."
                        .formatted(cause.connectString(), cause.timeout().toMillis()),
                "Check that the servers run and can be reached from here, and that"
                        + " \"elasticjob.registry.connect-string\" names them. If they are only slow to answer, raise"
                        + " \"elasticjob.registry.connection-timeout\".",
                cause);
    }
}
