package dev.elasticjob.admin.command;

import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.view.NamespacePause;
import dev.elasticjob.coordination.view.NamespaceReader;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Reads jobs that a command is for. Every stage fails with {@link UnknownTargetException} if there is no such job. */
public record ExistingJobs(Registry registry) {
    public CompletionStage<RegistryAnswer> read(String jobName) {
        return read(jobName, List.of());
    }

    /** Reads a job's definition and other nodes. */
    public CompletionStage<RegistryAnswer> read(String jobName, Collection<RegistryRead> others) {
        return read(jobName, others, registry::read);
    }

    /** Reads the same, and the namespace's pause. */
    CompletionStage<RegistryAnswer> readWithPause(String jobName, Collection<RegistryRead> others) {
        return read(jobName, others, reads -> NamespacePause.readWith(registry, reads));
    }

    private CompletionStage<RegistryAnswer> read(
            String jobName,
            Collection<RegistryRead> others,
            Function<List<RegistryRead>, CompletionStage<RegistryAnswer>> reading) {
        if (!NamespaceReader.isName(jobName)) {
            return noName(jobName);
        }
        JobTree tree = new JobTree(jobName);
        List<RegistryRead> reads = new ArrayList<>(StoredDefinition.reads(tree));
        reads.addAll(others);
        return reading.apply(reads)
                .thenCompose(answer -> StoredDefinition.of(tree, answer).isPresent()
                        ? CompletableFuture.completedFuture(answer)
                        : CompletableFuture.failedFuture(new UnknownTargetException(
                                "There is no job \"%s\" in the registry: check its name and the namespace"
                                        .formatted(jobName))));
    }

    /** The jobs of the namespace: the nodes that have a definition. */
    public CompletionStage<List<JobTree>> all() {
        return new NamespaceReader(registry).names().thenCompose(names -> {
            List<JobTree> trees = names.stream()
                    .filter(NamespaceReader::isName)
                    .map(JobTree::new)
                    .toList();
            return registry.read(trees.stream()
                            .flatMap(tree -> StoredDefinition.reads(tree).stream())
                            .toList())
                    .thenApply(answer -> trees.stream()
                            .filter(tree -> StoredDefinition.of(tree, answer).isPresent())
                            .toList());
        });
    }

    /** A path made of such a name could be another job's, or that of the whole namespace. */
    public static <T> CompletionStage<T> noName(String jobName) {
        return CompletableFuture.failedFuture(
                new UnknownTargetException("A job can't have the name \"%s\": check it".formatted(jobName)));
    }
}
