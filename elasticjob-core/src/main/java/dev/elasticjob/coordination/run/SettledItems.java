package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Items of which it is known whether they have been asked for a run. One read doesn't tell: record and request are read
 * one after the other, and a claim moves the run from the request to the record (giving it back, the other way). Whatever
 * moves it writes the record; so an item is read until two reads find the same version, and what was read in between
 * counts. Thread-safe.
 */
record SettledItems(JobViewReader reader, ManualRun run) {
    /** The view, with items read again where nothing showed the run and the record has changed since. */
    CompletionStage<ItemsView> of(ItemsView view) {
        return settled(view, RequestPlan.unasked(run, view));
    }

    private CompletionStage<ItemsView> settled(ItemsView view, List<ItemView> unsure) {
        if (unsure.isEmpty()) {
            return CompletableFuture.completedFuture(view);
        }
        return reader.items(unsure.stream().map(ItemView::item).toList()).thenCompose(again -> {
            NavigableMap<Integer, ItemView> moved = new TreeMap<>(again.items());
            unsure.forEach(item ->
                    moved.computeIfPresent(item.item(), (number, now) -> now.version() == item.version() ? null : now));
            ItemsView next = view.with(moved);
            return settled(
                    next,
                    RequestPlan.unasked(run, next).stream()
                            .filter(item -> moved.containsKey(item.item()))
                            .toList());
        });
    }
}
