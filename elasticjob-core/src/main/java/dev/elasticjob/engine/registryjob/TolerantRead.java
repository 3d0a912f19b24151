package dev.elasticjob.engine.registryjob;

import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryRead;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Reads nodes of many jobs in one request. If the nodes of one may not be read, the registry refuses the whole request:
 * it is then halved, until all others have been read.
 */
record TolerantRead(Registry registry, Function<JobTree, List<RegistryRead>> reads) {
    /** @param each receives each job; without an answer if access to its nodes is denied */
    CompletionStage<Void> each(List<String> names, BiConsumer<JobTree, Optional<RegistryAnswer>> each) {
        List<JobTree> trees = names.stream().map(JobTree::new).toList();
        return registry.read(trees.stream()
                        .flatMap(tree -> reads.apply(tree).stream())
                        .toList())
                .thenAccept(answer -> trees.forEach(tree -> each.accept(tree, Optional.of(answer))))
                .exceptionallyCompose(error -> {
                    Throwable cause = Stages.unwrap(error);
                    if (!(cause instanceof RegistryAccessDeniedException)) {
                        return CompletableFuture.failedFuture(cause);
                    }
                    if (trees.size() == 1) {
                        each.accept(trees.get(0), Optional.empty());
                        return CompletableFuture.completedFuture(null);
                    }
                    int half = names.size() / 2;
                    return each(names.subList(0, half), each)
                            .thenCompose(done -> each(names.subList(half, names.size()), each));
                });
    }
}
