package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/**
 * Reads the records of the items of several jobs, 1,000 items in one request, with the locks of jobs whose executions are
 * watched; not what waits for the items.
 * For people; no step is planned from it.
 */
record ManyItems(Registry registry) {
    private record Item(JobSnapshot job, int number) {
        JobTree tree() {
            return job.tree();
        }

        boolean isWatched() {
            return job.definition()
                    .filter(settings -> settings.watchdog().watchesExecutions())
                    .isPresent();
        }
    }

    /** What was found of one job. Used by one thread after the other. */
    private record ItemsRead(NavigableMap<Integer, ItemView> items, NavigableMap<Integer, RegistryNode> locks) {
        ItemsRead() {
            this(new TreeMap<>(), new TreeMap<>());
        }
    }

    /** @return the items of each job, in the jobs' order; those that have no node are missing */
    public CompletionStage<List<ItemsView>> of(List<JobSnapshot> jobs) {
        List<Item> items = jobs.stream()
                .filter(job -> job.epoch() >= 0)
                .flatMap(job -> job.items().stream().map(item -> new Item(job, item)))
                .toList();
        Map<String, ItemsRead> found = new LinkedHashMap<>();
        jobs.forEach(job -> found.put(job.jobName(), new ItemsRead()));
        return Stages.inOrder(
                        Batch.groups(JobViewReader.ITEMS_PER_READ, items),
                        chunk -> registry.read(reads(chunk)).thenApply(answer -> {
                            take(chunk, answer, found);
                            return answer;
                        }))
                .thenApply(done -> jobs.stream()
                        .map(job -> view(job, found.getOrDefault(job.jobName(), new ItemsRead())))
                        .toList());
    }

    private static ItemsView view(JobSnapshot job, ItemsRead found) {
        return new ItemsView(job.epoch(), found.items(), found.locks(), Optional.empty(), FiringsView.NONE);
    }

    private static List<RegistryRead> reads(List<Item> chunk) {
        Map<JobTree, List<Integer>> byJob = new LinkedHashMap<>();
        chunk.forEach(item ->
                byJob.computeIfAbsent(item.tree(), any -> new ArrayList<>()).add(item.number()));
        List<RegistryRead> reads = new ArrayList<>();
        byJob.forEach((tree, numbers) -> reads.addAll(ItemView.reads(tree, numbers)));
        chunk.stream()
                .filter(Item::isWatched)
                .forEach(item -> reads.add(RegistryRead.data(item.tree().running(item.number()))));
        return reads;
    }

    private static void take(List<Item> chunk, RegistryAnswer answer, Map<String, ItemsRead> found) {
        for (Item item : chunk) {
            ItemsRead of = found.computeIfAbsent(item.tree().jobName(), any -> new ItemsRead());
            ItemView.of(item.tree(), item.number(), answer)
                    .ifPresent(view -> of.items().put(item.number(), view));
            if (item.isWatched()) {
                answer.node(item.tree().running(item.number()))
                        .ifPresent(lock -> of.locks().put(item.number(), lock));
            }
        }
    }
}
