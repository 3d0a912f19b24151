package dev.elasticjob.admin;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Shows the jobs of an engine as they stand in the registry. Each call asks it; safe for use by any thread. */
public interface JobInspector {
    /**
     * All jobs of this engine, in order of their names, without their items. One whose nodes can't be read says so, and
     * the others are shown as ever.
     *
     * @return fails with {@link dev.elasticjob.registry.RegistryUnavailableException} when the registry can't be asked
     */
    CompletionStage<List<JobReport>> jobs();

    /** One job with its items; empty when this engine has no job of that name. */
    CompletionStage<Optional<JobReport>> job(String jobName);
}
