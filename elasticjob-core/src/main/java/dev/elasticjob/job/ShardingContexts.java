package dev.elasticjob.job;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The items that one instance has claimed together: its part of a firing, as passed to listeners. Usually all of them
 * have the same scheduled time; after an interruption, the times may differ.
 *
 * @param items one context for each item; never empty
 */
public record ShardingContexts(String jobName, List<ShardingContext> items) {
    public ShardingContexts {
        items = List.copyOf(items);
    }

    /** The {@link ShardingContext#getRunId()} of the items; if these differ, each of them once, joined by commas. */
    public String runId() {
        return items.stream().map(ShardingContext::getRunId).distinct().collect(Collectors.joining(","));
    }
}
