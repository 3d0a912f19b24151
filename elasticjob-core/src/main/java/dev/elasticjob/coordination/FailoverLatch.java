package dev.elasticjob.coordination;

import java.util.SortedSet;
import java.util.concurrent.CompletionStage;

/** The interrupted items of a job that wait to be taken over. Safe for use by any thread. */
public interface FailoverLatch {
    /**
     * The items that wait, as they stand in the registry.
     *
     * @return fails with {@link dev.elasticjob.registry.RegistryUnavailableException} when the registry can't be asked
     * @throws IllegalArgumentException when this engine has no such job
     */
    CompletionStage<SortedSet<Integer>> waitingItems(String jobName);
}
