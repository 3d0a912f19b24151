package dev.elasticjob.execution.invoker;

import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.trust.RegistryTrust;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a script or HTTP job of this application runs: what the registry says, or what the application declares if the
 * registry has another command line or URI and this instance doesn't trust it. Each such text is reported once.
 * Thread-safe.
 */
final class DeclaredWork {
    private static final Logger log = LoggerFactory.getLogger(DeclaredWork.class);

    private final JobDefinition declared;
    private final RegistryTrust trust;
    private final AtomicReference<String> reported = new AtomicReference<>("");

    DeclaredWork(JobDefinition declared, RegistryTrust trust) {
        this.declared = declared;
        this.trust = trust;
    }

    String commandLine(JobDefinition claimed) {
        boolean same = claimed.scriptCommandLine().equals(declared.scriptCommandLine());
        return same || mayRun("command line", claimed.scriptCommandLine(), trust.objection(claimed))
                ? claimed.scriptCommandLine()
                : declared.scriptCommandLine();
    }

    /** With its references replaced. */
    HttpRequestSettings request(JobDefinition claimed, UnaryOperator<String> references) {
        HttpRequestSettings here = declared.http().orElseThrow();
        HttpRequestSettings there = claimed.http().orElseThrow();
        boolean same = there.uri().equals(here.uri());
        return (same || mayRun("URI", there.uri(), trust.objection(claimed)) ? there : here).resolved(here, references);
    }

    private boolean mayRun(String what, String text, Optional<String> objection) {
        if (objection.isPresent() && !text.equals(reported.getAndSet(text))) {
            log.error(
                    "Job \"{}\": the registry has another {} than this application declares: \"{}\". It is not used: {}."
                            + " This instance runs what it declares. If nobody of you has changed it, find out who can"
                            + " write to the registry; otherwise, declare the same here, or store it again with"
                            + " overwrite=true",
                    declared.jobName(),
                    what,
                    text,
                    objection.get());
        }
        return objection.isEmpty();
    }
}
