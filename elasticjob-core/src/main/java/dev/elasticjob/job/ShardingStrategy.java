package dev.elasticjob.job;

import java.util.List;
import java.util.Map;

/**
 * Decides which instance owns which items. A pure function: same input, same output; no clock, no input or output, no
 * logging. Called on the leader only, away from the coordination thread.
 */
@FunctionalInterface
public interface ShardingStrategy {
    /**
     * Divides the items 0 … {@code shardingTotalCount} - 1 among the instances.
     *
     * @return the items of each instance: every item exactly once, and only instances that were given; an instance
     *     without items may be left out
     */
    Map<String, List<Integer>> shard(Request request);

    /**
     * What is to be divided. Immutable.
     *
     * @param jobName the job
     * @param shardingTotalCount the number of items, at least 1
     * @param instances the ids of all instances that may own items, each once; never empty, in descending string order
     * @param currentOwners who owns which item now; may name instances that are gone and items beyond the total, and
     *     lacks the items that nobody owns
     */
    record Request(String jobName, int shardingTotalCount, List<String> instances, Map<Integer, String> currentOwners) {
        public Request {
            instances = List.copyOf(instances);
            currentOwners = Map.copyOf(currentOwners);
            if (shardingTotalCount < 1 || instances.isEmpty()) {
                throw new IllegalArgumentException(
                        "Job \"%s\" has %d items and %d instances to divide them among; at least 1 of each is needed"
                                .formatted(jobName, shardingTotalCount, instances.size()));
            }
        }
    }
}
