package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.definition.text.NodeName;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads jobs of the namespace, as many as possible in one request, which the registry cuts by bytes. Thread-safe. */
public record NamespaceReader(Registry registry) {

    /** The names of all jobs, and of what removals have left; not the node of the namespace's pause. */
    public CompletionStage<NavigableSet<String>> names() {
        return registry.read(List.of(RegistryRead.children(JobTree.NAMESPACE)))
                .thenApply(answer -> answer.children(JobTree.NAMESPACE).stream()
                        .filter(NamespaceReader::isName)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    /** Whether a job can have this name. A path made of another one could lead out of the namespace. */
    public static boolean isName(String name) {
        return !name.isBlank() && NodeName.problem(name).isEmpty();
    }

    /**
     * Reads several jobs in one request.
     *
     * @param names valid ones
     * @return the jobs in that order; one whose nodes may not be read says so
     */
    public CompletionStage<List<JobSnapshot>> jobs(Collection<String> names) {
        List<JobTree> trees = names.stream().map(JobTree::new).toList();
        List<RegistryRead> reads =
                trees.stream().flatMap(tree -> JobSnapshot.reads(tree).stream()).toList();
        return orEachAlone(
                names,
                NamespacePause.readWith(registry, reads)
                        .thenApply(answer -> trees.stream()
                                .map(tree -> JobSnapshot.of(tree, answer))
                                .toList()));
    }

    /** Reads one job; empty if there is no node of that name. */
    public CompletionStage<Optional<JobSnapshot>> job(String name) {
        return isName(name)
                ? jobs(List.of(name)).thenApply(jobs -> Optional.of(jobs.get(0)).filter(JobSnapshot::exists))
                : CompletableFuture.completedFuture(Optional.empty());
    }

    /** Reads the instances and servers of several jobs in one request. */
    public CompletionStage<List<JobSnapshot>> withMembers(List<JobSnapshot> jobs) {
        List<RegistryRead> reads =
                jobs.stream().flatMap(job -> job.memberReads().stream()).toList();
        return registry.read(reads)
                .thenApply(answer ->
                        jobs.stream().map(job -> job.withMembers(answer)).toList());
    }

    /**
     * Reads, of those jobs that run after others, whether these can be followed, of those whose instances own nothing,
     * what keeps them from it, and of those with weights, what their instances carry: in one request, or none if there is no such job. If they may not be read, it isn't known.
     */
    public CompletionStage<List<JobSnapshot>> withReasons(List<JobSnapshot> jobs) {
        List<RegistryRead> reads =
                jobs.stream().flatMap(job -> job.reportReads().stream()).toList();
        if (reads.isEmpty()) {
            return CompletableFuture.completedFuture(jobs);
        }
        return registry.read(reads)
                .thenApply(answer ->
                        jobs.stream().map(job -> job.withMembers(answer)).toList())
                .exceptionallyCompose(error -> Stages.unwrap(error) instanceof RegistryAccessDeniedException
                        ? CompletableFuture.completedFuture(jobs)
                        : CompletableFuture.failedFuture(Stages.unwrap(error)));
    }

    /** A job with the records of its items. */
    public record WithRecords(JobSnapshot job, ItemsView items) {
        /** One whose records nobody needs. */
        public static WithRecords without(JobSnapshot job) {
            return new WithRecords(
                    job,
                    new ItemsView(job.epoch(), new TreeMap<>(), new TreeMap<>(), Optional.empty(), FiringsView.NONE));
        }
    }

    /** Reads the records of the items of several jobs. A job whose records may not be read says so, and has none. */
    public CompletionStage<List<WithRecords>> withRecords(List<JobSnapshot> jobs) {
        ManyItems items = new ManyItems(registry);
        return items.of(jobs)
                .thenApply(read -> IntStream.range(0, jobs.size())
                        .mapToObj(place -> new WithRecords(jobs.get(place), read.get(place)))
                        .toList())
                .exceptionallyCompose(error -> {
                    Throwable cause = Stages.unwrap(error);
                    if (!(cause instanceof RegistryAccessDeniedException)) {
                        return CompletableFuture.failedFuture(cause);
                    }
                    if (jobs.size() == 1) {
                        return withRecords(
                                List.of(JobSnapshot.denied(jobs.get(0).tree(), String.valueOf(cause.getMessage()))));
                    }
                    return Stages.inOrder(jobs, job -> withRecords(List.of(job)).thenApply(one -> one.get(0)));
                });
    }

    /** The paths and all their descendants, parents first. */
    public CompletionStage<List<String>> withDescendants(List<String> level) {
        if (level.isEmpty()) {
            return CompletableFuture.completedFuture(new ArrayList<>());
        }
        return registry.read(level.stream().map(RegistryRead::children).toList())
                .thenCompose(answer -> withDescendants(level.stream()
                        .flatMap(parent -> answer.children(parent).stream().map(name -> parent + "/" + name))
                        .toList()))
                .thenApply(below -> {
                    below.addAll(0, level);
                    return below;
                });
    }

    /** If access to one of many jobs is denied, the registry refuses the whole request. */
    private CompletionStage<List<JobSnapshot>> orEachAlone(
            Collection<String> names, CompletionStage<List<JobSnapshot>> together) {
        CompletableFuture<List<JobSnapshot>> result = new CompletableFuture<>();
        together.whenComplete((jobs, error) -> {
            if (error == null) {
                result.complete(jobs);
                return;
            }
            Throwable cause = Stages.unwrap(error);
            if (!(cause instanceof RegistryAccessDeniedException) && !(cause instanceof IllegalArgumentException)) {
                result.completeExceptionally(cause);
            } else if (names.size() == 1) {
                JobTree tree = new JobTree(names.iterator().next());
                result.complete(List.of(JobSnapshot.denied(tree, String.valueOf(cause.getMessage()))));
            } else {
                eachAlone(names).whenComplete((all, failure) -> {
                    if (failure == null) {
                        result.complete(all);
                    } else {
                        result.completeExceptionally(Stages.unwrap(failure));
                    }
                });
            }
        });
        return result;
    }

    private CompletionStage<List<JobSnapshot>> eachAlone(Collection<String> names) {
        List<CompletableFuture<List<JobSnapshot>>> alone = names.stream()
                .map(name -> jobs(List.of(name)).toCompletableFuture())
                .toList();
        return Stages.all(alone).thenApply(done -> {
            List<JobSnapshot> all = new ArrayList<>();
            alone.forEach(one -> all.addAll(one.join()));
            return all;
        });
    }
}
