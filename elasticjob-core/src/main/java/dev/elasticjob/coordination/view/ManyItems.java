package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
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
 * Reads the records of the items of several jobs, 1,000 items in one request: neither locks nor what waits for the items.
 * For people; no step is planned from it.
 */
public record ManyItems(Registry registry) {
    private record Item(JobTree tree, int number) {}

    /** @return the items of each job, in the jobs' order; those that have no node are missing */
    public CompletionStage<List<ItemsView>> of(List<JobPicture> jobs) {
        List<Item> items = jobs.stream()
                .filter(job -> job.epoch() >= 0)
                .flatMap(job -> job.items().stream().map(item -> new Item(job.tree(), item)))
                .toList();
        Map<String, NavigableMap<Integer, ItemView>> found = new LinkedHashMap<>();
        jobs.forEach(job -> found.put(job.jobName(), new TreeMap<>()));
        return Stages.inOrder(
                        chunks(items),
                        chunk -> registry.read(reads(chunk)).thenApply(answer -> {
                            take(chunk, answer, found);
                            return answer;
                        }))
                .thenApply(done -> jobs.stream()
                        .map(job -> new ItemsView(
                                job.epoch(),
                                found.getOrDefault(job.jobName(), new TreeMap<>()),
                                new TreeMap<>(),
                                Optional.empty(),
                                FiringsView.NONE))
                        .toList());
    }

    private static List<List<Item>> chunks(List<Item> items) {
        List<List<Item>> chunks = new ArrayList<>();
        for (int from = 0; from < items.size(); from += JobViewReader.ITEMS_PER_READ) {
            chunks.add(items.subList(from, Math.min(from + JobViewReader.ITEMS_PER_READ, items.size())));
        }
        return chunks;
    }

    private static List<RegistryRead> reads(List<Item> chunk) {
        Map<JobTree, List<Integer>> byJob = new LinkedHashMap<>();
        chunk.forEach(item ->
                byJob.computeIfAbsent(item.tree(), any -> new ArrayList<>()).add(item.number()));
        List<RegistryRead> reads = new ArrayList<>();
        byJob.forEach((tree, numbers) -> reads.addAll(ItemView.reads(tree, numbers)));
        return reads;
    }

    private static void take(
            List<Item> chunk, RegistryAnswer answer, Map<String, NavigableMap<Integer, ItemView>> found) {
        for (Item item : chunk) {
            ItemView.of(item.tree(), item.number(), answer)
                    .ifPresent(view -> found.computeIfAbsent(item.tree().jobName(), any -> new TreeMap<>())
                            .put(item.number(), view));
        }
    }
}
