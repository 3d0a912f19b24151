package dev.elasticjob.coordination.hook;

import dev.elasticjob.coordination.firing.FiringPlan;
import dev.elasticjob.coordination.firing.OpenFiring;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.registry.RegistryCommit.Operation;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What is written for followers in the transaction that ends a firing. Called on the coordination executor. */
public interface FollowerEntries {
    /** @param success whether all items and the listeners have succeeded */
    CompletionStage<List<Operation>> of(FiringPlan plan, OpenFiring ended, FiringOutcomes outcomes, boolean success);

    /** The transaction that ends the firing was committed with the operations that were returned last. */
    void committed(String firing);
}
