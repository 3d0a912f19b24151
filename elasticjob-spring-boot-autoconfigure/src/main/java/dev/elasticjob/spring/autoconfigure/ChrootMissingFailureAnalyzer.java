package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.registry.curator.ChrootMissingException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class ChrootMissingFailureAnalyzer extends AbstractFailureAnalyzer<ChrootMissingException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ChrootMissingException cause) {
        String chroot = cause.chroot();
        return new FailureAnalysis(
                ("The chroot \"%s\" in \"elasticjob.registry.connect-string\" was expected to exist in ZooKeeper, but"
                                + " doesn't. It is not created automatically: below a misspelled chroot, this application would"
                                + " run every item a second time.")
                        .formatted(chroot),
                ("Correct it, or create it with ZooKeeper's command line client, zkCli.sh: %s. Or remove it from the property"
                                + " and use \"elasticjob.registry.namespace\" instead, whose nodes are created.")
                        .formatted(commands(chroot)),
                cause);
    }

    /** One command for each level, because a node can be created only below an existing one. */
    private static String commands(String chroot) {
        return IntStream.rangeClosed(1, chroot.length())
                .filter(end -> end == chroot.length() || chroot.charAt(end) == '/')
                .mapToObj(end -> "\"create %s\"".formatted(chroot.substring(0, end)))
                .collect(Collectors.joining(", "));
    }
}
