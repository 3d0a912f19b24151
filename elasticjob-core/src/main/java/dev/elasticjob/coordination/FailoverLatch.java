package dev.elasticjob.coordination;

import java.util.SortedSet;
import java.util.concurrent.CompletionStage;

/** Returns the interrupted items of a job that wait for failover. Thread-safe. */
public interface FailoverLatch {
    /**
     * Reads the waiting items from the registry.
     *
     * @return a stage that fails with {@link dev.elasticjob.registry.RegistryUnavailableException} if the registry is
     *     unavailable
     * @throws IllegalArgumentException if this engine has no such job
     */
    CompletionStage<SortedSet<Integer>> waitingItems(String jobName);
}
