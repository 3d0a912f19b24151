package dev.elasticjob.admin;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Shows the jobs of an engine as they are in the registry, which each call reads. Thread-safe. */
public interface JobInspector {
    /**
     * All jobs of this engine, ordered by name, without their items. If a job's nodes can't be read, its report says
     * so; the other jobs are not affected.
     *
     * @return a stage that fails with {@link dev.elasticjob.registry.RegistryUnavailableException} if the registry is
     *     unavailable
     */
    CompletionStage<List<JobReport>> jobs();

    /** One job with its items; empty if this engine has no job of that name. */
    CompletionStage<Optional<JobReport>> job(String jobName);
}
