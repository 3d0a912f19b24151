package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.registry.RegistryAccessDeniedException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what to do when the registry's nodes belong to another digest. */
final class RegistryAccessDeniedFailureAnalyzer extends AbstractFailureAnalyzer<RegistryAccessDeniedException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, RegistryAccessDeniedException cause) {
        return new FailureAnalysis(
                "ZooKeeper refuses this application the node \"%s\": it is open to another digest only."
                        .formatted(cause.path()),
                "Set \"elasticjob.registry.digest\" to the user:password that the node was created with; or use a"
                        + " namespace of your own (\"elasticjob.registry.namespace\"); or have the node's permissions"
                        + " changed in ZooKeeper.",
                cause);
    }
}
