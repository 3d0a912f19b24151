package dev.elasticjob.admin;

import dev.elasticjob.admin.JobReport.ItemReport;
import dev.elasticjob.coordination.state.ItemState;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How the items of a job ended last, in one word. Immutable.
 *
 * @param items how many there are; 0 if they can't be read
 * @param state the first that an item has of: running, interrupted, failed, completed, new
 * @param of how many items have it
 * @param finishedAt when the latest of them ended; empty while one runs, and if none has ended
 */
public record ItemSummary(int items, ItemState state, int of, Optional<Instant> finishedAt) {
    private static final List<ItemState> WORST_FIRST =
            List.of(ItemState.RUNNING, ItemState.INTERRUPTED, ItemState.FAILED, ItemState.COMPLETED, ItemState.NEW);

    /** @param job with its items */
    public static ItemSummary of(JobReport job) {
        List<ItemReport> items = job.items();
        ItemState worst = WORST_FIRST.stream()
                .filter(state -> items.stream().anyMatch(item -> state(item) == state))
                .findFirst()
                .orElse(ItemState.NEW);
        List<ItemReport> those =
                items.stream().filter(item -> state(item) == worst).toList();
        Optional<Instant> end = those.stream()
                .flatMap(item -> item.itemRecord().finishedAt().stream())
                .max(Comparator.naturalOrder())
                .filter(at -> worst != ItemState.RUNNING);
        return new ItemSummary(items.size(), worst, those.size(), end);
    }

    /** An item that holds no lock doesn't run, whatever its record says. */
    private static ItemState state(ItemReport item) {
        ItemState last = item.itemRecord().state();
        if (item.running()) {
            return ItemState.RUNNING;
        }
        return last == ItemState.RUNNING ? ItemState.INTERRUPTED : last;
    }
}
