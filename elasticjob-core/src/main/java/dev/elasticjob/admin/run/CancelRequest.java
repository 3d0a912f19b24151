package dev.elasticjob.admin.run;

import java.util.Optional;

/**
 * What is to end.
 *
 * @param item only this item; empty for all items
 * @param runId the run id of a firing or of a manual run, as events and {@link
 *     dev.elasticjob.job.ShardingContext#getRunId()} show it, or one of the requests that share a run; empty for whatever
 *     the item executes
 */
public record CancelRequest(Optional<Integer> item, Optional<String> runId) {
    public CancelRequest {
        if (item.isEmpty() && runId.isEmpty()) {
            throw new IllegalArgumentException(
                    "Expected an item or a run id to cancel, but there was neither: name one of them");
        }
    }

    /** What the item executes, whatever it is. */
    public static CancelRequest item(int item) {
        return new CancelRequest(Optional.of(item), Optional.empty());
    }

    /** A whole firing or manual run, on all items. */
    public static CancelRequest run(String runId) {
        return new CancelRequest(Optional.empty(), Optional.of(runId));
    }

    /** What is to be done, in words. */
    public String text() {
        return "cancel"
                + runId.map(id -> " run " + id).orElse("")
                + item.map(only -> (runId.isPresent() ? " on item " : " item ") + only)
                        .orElse("");
    }

    /** The same for one item only. */
    public CancelRequest onItem(int only) {
        return new CancelRequest(Optional.of(only), runId);
    }
}
