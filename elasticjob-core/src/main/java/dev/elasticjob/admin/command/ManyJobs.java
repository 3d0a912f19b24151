package dev.elasticjob.admin.command;

import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.registry.JobTree;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A command for many jobs of the namespace at once. Thread-safe. */
record ManyJobs(ExistingJobs jobs) {
    /**
     * Does something for many jobs at the same time. Those that are removed meanwhile, or no longer have what the command
     * is for, are left out.
     *
     * @return the results by job
     */
    <T> CompletionStage<NavigableMap<String, T>> each(
            Collection<JobTree> trees, Function<JobTree, CompletionStage<T>> command) {
        NavigableMap<String, T> results = Collections.synchronizedNavigableMap(new TreeMap<>());
        List<CompletionStage<Void>> all = trees.stream()
                .map(tree -> unlessGone(tree, command.apply(tree))
                        .thenAccept(result -> result.ifPresent(known -> results.put(tree.jobName(), known))))
                .toList();
        return Stages.all(all).thenApply(done -> new TreeMap<>(results));
    }

    /** A command on a job that is just removed may fail with any error. */
    private <T> CompletionStage<Optional<T>> unlessGone(JobTree tree, CompletionStage<T> result) {
        return result.thenApply(Optional::of).exceptionallyCompose(error -> {
            Throwable cause = Stages.unwrap(error);
            return isUnknown(cause)
                    ? CompletableFuture.completedFuture(Optional.empty())
                    : jobs.read(tree.jobName()).handle((job, gone) -> {
                        if (gone != null && isUnknown(Stages.unwrap(gone))) {
                            return Optional.empty();
                        }
                        throw new CompletionException(cause);
                    });
        });
    }

    private static boolean isUnknown(Throwable error) {
        return error instanceof UnknownTargetException;
    }
}
