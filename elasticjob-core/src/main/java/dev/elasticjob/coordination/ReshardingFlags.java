package dev.elasticjob.coordination;

import java.util.concurrent.CompletionStage;

/**
 * The flags of a job's resharding: whether a new plan is asked for, whether one is being written, and the epoch of the
 * one in force. Each call asks the registry. Safe for use by any thread.
 */
public interface ReshardingFlags {
    /**
     * The flags as they stand in the registry.
     *
     * @return fails with {@link dev.elasticjob.registry.RegistryUnavailableException} when the registry can't be asked
     * @throws IllegalArgumentException when this engine has no such job
     */
    CompletionStage<Status> status(String jobName);

    /**
     * Asks the leader to plan anew. Harmless at any time: a plan that differs in nothing changes nothing.
     *
     * @return completes when the wish is stored
     * @throws IllegalArgumentException when this engine has no such job
     */
    CompletionStage<Void> raise(String jobName);

    /**
     * A job's flags.
     *
     * @param necessary a new plan is asked for
     * @param processing an assignment that takes several transactions is being written
     * @param epoch grows with every change of assignment or schedule; -1 before the first one
     */
    record Status(boolean necessary, boolean processing, int epoch) {}
}
