package dev.elasticjob.coordination.membership;

import dev.elasticjob.definition.JobDefinition;

/**
 * A job as this instance knows it before it joins.
 *
 * @param definition its settings here
 * @param source where they come from
 */
public record KnownJob(JobDefinition definition, Source source) {
    /** Where an instance has the definition of a job from. */
    public enum Source {
        /** The application declares the job. It is created in the registry if it isn't there. */
        APPLICATION,
        /** The job is kept in the registry. Whether it exists, and all its settings, are decided there. */
        REGISTRY
    }

    public boolean isRegistryJob() {
        return source == Source.REGISTRY;
    }
}
