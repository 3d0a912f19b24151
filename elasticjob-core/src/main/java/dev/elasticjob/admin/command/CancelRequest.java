package dev.elasticjob.admin.command;

import dev.elasticjob.coordination.state.ItemRanges;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What is to end.
 *
 * @param items only these items; empty for all items
 * @param runId the run id of a firing or of a manual run, as events and {@link
 *     dev.elasticjob.job.ShardingContext#getRunId()} show it, or one of the requests that share a run; empty for whatever
 *     each of the items executes
 */
public record CancelRequest(SortedSet<Integer> items, Optional<String> runId) {
    public CancelRequest {
        items = Collections.unmodifiableSortedSet(new TreeSet<>(items));
        if (items.isEmpty() && runId.isEmpty()) {
            throw new IllegalArgumentException(
                    "Expected items or a run id to cancel, but there was neither: name one of them");
        }
    }

    /** What the item executes, whatever it is. */
    public static CancelRequest item(int item) {
        return items(Collections.singleton(item));
    }

    /**
     * What each of the items executes, whatever it is.
     *
     * @throws IllegalArgumentException if there are none
     */
    public static CancelRequest items(Collection<Integer> items) {
        return new CancelRequest(new TreeSet<>(items), Optional.empty());
    }

    /** A whole firing or manual run, on all items. */
    public static CancelRequest run(String runId) {
        return new CancelRequest(Collections.emptySortedSet(), Optional.of(runId));
    }

    /** What is to be done, in words. */
    public String text() {
        String where = items.isEmpty() ? "" : ItemRanges.named(items);
        return "cancel"
                + runId.map(id -> " run " + id + (where.isEmpty() ? "" : " on")).orElse("")
                + (where.isEmpty() ? "" : " " + where);
    }

    /** The same for one item only. */
    public CancelRequest onItem(int only) {
        return onItems(Collections.singleton(only));
    }

    /**
     * The same for some items only.
     *
     * @throws IllegalArgumentException if there are none: a run would be cancelled on all items
     */
    public CancelRequest onItems(Collection<Integer> some) {
        if (some.isEmpty()) {
            throw new IllegalArgumentException(
                    "Expected at least one item to cancel, but there was none: for all items of a run, leave them out");
        }
        return new CancelRequest(new TreeSet<>(some), runId);
    }
}
