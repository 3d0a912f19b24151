package dev.elasticjob.execution.invoker;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.trust.RegistryTrust;
import java.util.Objects;

/**
 * Runs a job that is kept in the registry, as its definition says at the time of the claim. What this instance doesn't
 * trust then fails the item: nothing is started or sent. No references are replaced in its requests. Thread-safe.
 */
final class RegistryJobInvoker implements JobInvoker {
    private final RegistryTrust trust;
    private final ScriptJobInvoker scripts = new ScriptJobInvoker(JobDefinition::scriptCommandLine);
    private final HttpJobInvoker requests;

    RegistryJobInvoker(RegistryTrust trust, HttpClients clients) {
        this.trust = trust;
        this.requests = new HttpJobInvoker(claimed -> claimed.http().orElseThrow(), clients);
    }

    @Override
    public void invoke(ItemContext context) throws Exception {
        JobDefinition claimed = context.definition();
        trust.objection(claimed).ifPresent(objection -> {
            throw new IllegalStateException("Job \"%s\" is kept in the registry, and this instance may not run it: %s"
                    .formatted(claimed.jobName(), objection));
        });
        invoker(claimed).invoke(context);
    }

    private JobInvoker invoker(JobDefinition claimed) {
        String name = claimed.jobClass();
        return switch (claimed.jobType()) {
            case SCRIPT -> scripts;
            case HTTP -> requests;
            case SIMPLE ->
                JobInvoker.of(Objects.requireNonNull(trust.simpleJobs().get(name)));
            case DATAFLOW ->
                JobInvoker.of(Objects.requireNonNull(trust.dataflowJobs().get(name)));
        };
    }
}
