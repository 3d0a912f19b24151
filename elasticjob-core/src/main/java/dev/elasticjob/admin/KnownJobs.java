package dev.elasticjob.admin;

import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.admin.tree.NamespaceReader;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads the jobs that commands name. Thread-safe. */
record KnownJobs(Registry registry) {

    CompletionStage<RegistryAnswer> existing(String jobName) {
        return existing(jobName, List.of());
    }

    /** Reads a job's definition and other nodes. Fails if the job has no definition. */
    CompletionStage<RegistryAnswer> existing(String jobName, List<String> paths) {
        if (!NamespaceReader.isName(jobName)) {
            return noName(jobName);
        }
        JobTree tree = new JobTree(jobName);
        List<RegistryRead> reads = new ArrayList<>(StoredDefinition.reads(tree));
        reads.addAll(RegistryRead.allData(paths));
        return registry.read(reads)
                .thenCompose(answer -> StoredDefinition.of(tree, answer).isPresent()
                        ? CompletableFuture.completedFuture(answer)
                        : CompletableFuture.failedFuture(new UnknownTargetException(
                                "There is no job \"%s\" in the registry: check its name and the namespace"
                                        .formatted(jobName))));
    }

    /** A path made of such a name could be another job's, or that of the whole namespace. */
    static <T> CompletionStage<T> noName(String jobName) {
        return CompletableFuture.failedFuture(
                new UnknownTargetException("A job can't have the name \"%s\": check it".formatted(jobName)));
    }
}
