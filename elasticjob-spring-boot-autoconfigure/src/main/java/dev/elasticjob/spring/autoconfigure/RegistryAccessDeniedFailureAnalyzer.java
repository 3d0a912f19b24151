package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.registry.RegistryAccessDeniedException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class RegistryAccessDeniedFailureAnalyzer extends AbstractFailureAnalyzer<RegistryAccessDeniedException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, RegistryAccessDeniedException cause) {
        return new FailureAnalysis(
                "ZooKeeper denied access to the node \"%s\": only the digest or certificate that created it may use it."
                        .formatted(cause.path()),
                "Set \"elasticjob.registry.digest\" to the user:password that the node was created with, connect with the same"
                        + " client certificate, use another namespace (\"elasticjob.registry.namespace\"), or change the node's permissions in ZooKeeper.",
                cause);
    }
}
