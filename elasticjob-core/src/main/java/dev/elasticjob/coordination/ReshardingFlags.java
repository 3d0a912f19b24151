package dev.elasticjob.coordination;

import java.util.concurrent.CompletionStage;

/**
 * The flags of a job's resharding: whether a new plan is requested, whether one is being written, and the epoch of the
 * plan in force. Each call reads the registry. Thread-safe.
 */
public interface ReshardingFlags {
    /**
     * Reads the flags from the registry.
     *
     * @return a stage that fails with {@link dev.elasticjob.registry.RegistryUnavailableException} if the registry is
     *     unavailable
     * @throws IllegalArgumentException if this engine has no such job
     */
    CompletionStage<Status> status(String jobName);

    /**
     * Requests a new plan from the leader. Harmless at any time: if the new plan equals the present one, nothing
     * changes.
     *
     * @return a stage that completes when the request is stored
     * @throws IllegalArgumentException if this engine has no such job
     */
    CompletionStage<Void> raise(String jobName);

    /**
     * A job's flags.
     *
     * @param necessary whether a new plan is requested
     * @param processing whether an assignment that takes several transactions is being written
     * @param epoch grows with every change of assignment or schedule; -1 before the first one
     */
    record Status(boolean necessary, boolean processing, int epoch) {}
}
