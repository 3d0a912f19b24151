package dev.elasticjob.job;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The items that one instance has claimed together, to run now: its part of a firing, as listeners see it. Usually all
 * are for the same scheduled time; after an interruption they may differ.
 *
 * @param items one context for each, never empty
 */
public record ShardingContexts(String jobName, List<ShardingContext> items) {
    public ShardingContexts {
        items = List.copyOf(items);
    }

    /** As {@link ShardingContext#getRunId()} of its items; where they differ, each once, joined by commas. */
    public String runId() {
        return items.stream().map(ShardingContext::getRunId).distinct().collect(Collectors.joining(","));
    }
}
