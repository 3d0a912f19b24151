package dev.elasticjob.coordination;

import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryRead;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Reads the interrupted items from the registry. Thread-safe. */
public final class RegistryFailoverLatch implements FailoverLatch {
    private final Registry registry;
    private final Consumer<String> mustExist;

    /** @param mustExist throws {@link IllegalArgumentException} for an unknown job name */
    public RegistryFailoverLatch(Registry registry, Consumer<String> mustExist) {
        this.registry = registry;
        this.mustExist = mustExist;
    }

    @Override
    public CompletionStage<SortedSet<Integer>> waitingItems(String jobName) {
        mustExist.accept(jobName);
        JobTree tree = new JobTree(jobName);
        return Stages.forCallers(registry.read(List.of(RegistryRead.children(tree.failoverItems())))
                .thenApply(answer -> JobTree.itemNumbers(answer.children(tree.failoverItems()))));
    }
}
