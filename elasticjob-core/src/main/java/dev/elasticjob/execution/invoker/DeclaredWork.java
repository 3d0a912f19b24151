package dev.elasticjob.execution.invoker;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.KindRules;
import dev.elasticjob.definition.KindRules.Work;
import dev.elasticjob.definition.trust.RegistryTrust;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a job of this application does that consists of its definition: what the registry says, or what the application
 * declares if the registry has other work and this instance doesn't trust it. Each such text is reported once. Thread-safe.
 */
final class DeclaredWork {
    private static final Logger log = LoggerFactory.getLogger(DeclaredWork.class);

    private final JobDefinition declared;
    private final KindRules kind;
    private final RegistryTrust trust;
    private final AtomicReference<Object> reported = new AtomicReference<>("");

    DeclaredWork(JobDefinition declared, KindRules kind, RegistryTrust trust) {
        this.declared = declared;
        this.kind = kind;
        this.trust = trust;
    }

    /**
     * The definition to run.
     *
     * @param claimed at the time of the claim; it may come from an instance whose job is of another type
     */
    JobDefinition chosen(JobDefinition claimed) {
        if (!claimed.jobType().equals(kind.type())) {
            throw new IllegalStateException(
                    "Job \"%s\" has the type %s here, but the type %s in the registry: stop the instances of one of the two"
                            .formatted(claimed.jobName(), kind.type(), claimed.jobType()));
        }
        Work there = kind.work(claimed);
        boolean same = there.value().equals(kind.work(declared).value());
        return same || mayRun(there, trust.objection(claimed)) ? claimed : kind.withWorkOf(declared, claimed);
    }

    private boolean mayRun(Work there, Optional<String> objection) {
        if (objection.isPresent() && !there.value().equals(reported.getAndSet(there.value()))) {
            log.error(
                    "Job \"{}\": the registry has another {} than this application declares: \"{}\". It is not used: {}."
                            + " This instance runs what it declares. If nobody of you has changed it, find out who can"
                            + " write to the registry; otherwise, declare the same here, or store it again with"
                            + " overwrite=true",
                    declared.jobName(),
                    there.called(),
                    there.text(),
                    objection.get());
        }
        return objection.isEmpty();
    }
}
