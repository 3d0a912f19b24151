package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.view.JobViewReader.LeaderView;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/**
 * Reads of jobs what their leaders and owners would decide from: one request for 50 jobs, and one for 1,000 of their items
 * with the members of their jobs. What waits for items, or for runs after other jobs, is read behind that, where there is
 * any. For people and controllers; no step is planned from it. Thread-safe.
 */
public record DemandReader(Registry registry) {
    private static final int JOBS_PER_READ = 50;

    /**
     * A job as it was read.
     *
     * @param leader what its leader would plan from; the view also covers what waits below {@code after}
     * @param firings the open ones
     */
    public record DemandView(JobSnapshot job, LeaderView leader, FiringsView firings) {}

    /** @return the jobs in the order of their names in the collection; those that there are not are missing */
    public CompletionStage<List<DemandView>> jobs(Collection<String> names) {
        NamespaceReader reader = new NamespaceReader(registry);
        return Stages.inOrder(
                        Batch.groups(JOBS_PER_READ, List.copyOf(names)),
                        page -> reader.jobs(page).thenCompose(this::read))
                .thenApply(pages -> pages.stream().flatMap(List::stream).toList());
    }

    private CompletionStage<List<DemandView>> read(List<JobSnapshot> jobs) {
        List<JobSnapshot> known = jobs.stream().filter(JobSnapshot::exists).toList();
        return Stages.inOrder(
                        Batch.groups(
                                JobViewReader.ITEMS_PER_READ,
                                known,
                                job -> itemsOf(job).size() + 1),
                        this::together)
                .thenApply(groups -> groups.stream().flatMap(List::stream).toList());
    }

    /** If access to one of many jobs is denied, the registry refuses the whole request. */
    private CompletionStage<List<DemandView>> together(List<JobSnapshot> jobs) {
        List<RegistryRead> reads =
                jobs.stream().flatMap(job -> reads(job).stream()).toList();
        return registry.read(reads).thenCompose(answer -> more(jobs, answer)).exceptionallyCompose(error -> {
            Throwable cause = Stages.unwrap(error);
            if (!(cause instanceof RegistryAccessDeniedException)) {
                return CompletableFuture.failedFuture(cause);
            }
            return jobs.size() == 1
                    ? CompletableFuture.completedFuture(List.of(denied(jobs.get(0), cause)))
                    : Stages.inOrder(jobs, job -> together(List.of(job)).thenApply(one -> one.get(0)));
        });
    }

    private static DemandView denied(JobSnapshot job, Throwable cause) {
        JobSnapshot nothing = JobSnapshot.denied(job.tree(), String.valueOf(cause.getMessage()));
        JobView view = nothing.view();
        return new DemandView(
                nothing, new LeaderView(view, Members.of(view, view.answer()), new TreeMap<>()), FiringsView.NONE);
    }

    private static NavigableSet<Integer> itemsOf(JobSnapshot job) {
        NavigableSet<Integer> items = new TreeSet<>(job.items());
        job.definition()
                .ifPresent(settings ->
                        IntStream.range(0, settings.shardingTotalCount()).forEach(items::add));
        return items;
    }

    private static List<RegistryRead> reads(JobSnapshot job) {
        JobTree tree = job.tree();
        List<RegistryRead> reads = new ArrayList<>(MemberNames.of(job.view()).reads(tree));
        reads.addAll(RegistryRead.allData(tree.instances(), tree.firings(), tree.after()));
        reads.add(RegistryRead.children(tree.followers()));
        reads.add(RegistryRead.children(tree.after()));
        reads.addAll(ItemView.reads(tree, itemsOf(job)));
        return reads;
    }

    private CompletionStage<List<DemandView>> more(List<JobSnapshot> jobs, RegistryAnswer answer) {
        List<RegistryRead> waiting = new ArrayList<>();
        for (JobSnapshot job : jobs) {
            JobTree tree = job.tree();
            itemsOf(job).stream()
                    .filter(item -> JobTree.itemChildren(answer.children(tree.item(item)))
                            .trigger())
                    .forEach(item -> waiting.add(RegistryRead.data(tree.trigger(item))));
            answer.children(tree.after()).forEach(name -> waiting.add(RegistryRead.data(tree.after(name))));
        }
        CompletionStage<RegistryAnswer> all = waiting.isEmpty()
                ? CompletableFuture.completedFuture(answer)
                : registry.read(waiting).thenApply(answer::plus);
        return all.thenApply(read -> jobs.stream().map(job -> view(job, read)).toList());
    }

    private static NavigableMap<Integer, ItemView> items(JobSnapshot job, RegistryAnswer answer) {
        NavigableMap<Integer, ItemView> found = new TreeMap<>();
        itemsOf(job)
                .forEach(number -> ItemView.of(job.tree(), number, answer)
                        .ifPresent(item -> found.put(number, item.with(job.tree(), answer))));
        return found;
    }

    private static DemandView view(JobSnapshot job, RegistryAnswer answer) {
        JobSnapshot all = job.withMembers(answer);
        LeaderView leader =
                new LeaderView(all.view(), Members.of(all.view(), all.view().answer()), items(job, answer));
        return new DemandView(all, leader, FiringsView.orProblem(job.tree(), answer));
    }
}
