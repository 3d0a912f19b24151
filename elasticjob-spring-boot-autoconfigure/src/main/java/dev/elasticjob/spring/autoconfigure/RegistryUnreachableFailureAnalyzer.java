package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.registry.curator.RegistryUnreachableException;
import dev.elasticjob.time.DurationText;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class RegistryUnreachableFailureAnalyzer extends AbstractFailureAnalyzer<RegistryUnreachableException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, RegistryUnreachableException cause) {
        return cause.tlsProblem()
                .map(problem -> new FailureAnalysis(
                        "The registry at \"%s\" can't be used. %s"
                                .formatted(cause.connectString(), problem.found(cause.certificates())),
                        problem.advice(cause.certificates()),
                        cause))
                .orElseGet(() -> noAnswer(cause));
    }

    private static FailureAnalysis noAnswer(RegistryUnreachableException cause) {
        List<String> unknown = hosts(cause.connectString())
                .filter(RegistryUnreachableFailureAnalyzer::isUnknown)
                .toList();
        return new FailureAnalysis(
                "No ZooKeeper server answered at \"%s\" within %s.%s"
                        .formatted(
                                cause.connectString(),
                                DurationText.of(cause.timeout()),
                                unknown.isEmpty()
                                        ? ""
                                        : " These host names can't be resolved: %s."
                                                .formatted(String.join(", ", unknown))),
                "Check that the servers are running and reachable from here, and that"
                        + " \"elasticjob.registry.connect-string\" names them. If they are slow to answer, raise"
                        + " \"elasticjob.registry.connection-timeout\".",
                cause);
    }

    private static Stream<String> hosts(String connectString) {
        return Stream.of(connectString.replaceFirst("/.*", "").split(","))
                .map(server -> server.strip().replaceFirst(":\\d+$", ""));
    }

    private static boolean isUnknown(String host) {
        try {
            InetAddress.getByName(host);
            return false;
        } catch (UnknownHostException e) {
            return true;
        }
    }
}
