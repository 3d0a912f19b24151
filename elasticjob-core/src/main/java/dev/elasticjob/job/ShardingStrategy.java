package dev.elasticjob.job;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Decides which instance owns which items. Implementations must be pure functions: the same input gives the same
 * output, without use of a clock, I/O or logging. Called only on the leader, and not on the coordination thread.
 */
@FunctionalInterface
public interface ShardingStrategy {
    /**
     * Divides the items 0 … {@code shardingTotalCount} - 1 among the instances.
     *
     * @return the items of each instance. Every item must occur exactly once, and only instances of the request may
     *     occur; instances without items may be omitted
     */
    Map<String, List<Integer>> shard(Request request);

    /**
     * Whether requests are to have {@link Request#loads}. The jobs of such a strategy are planned one after the other, over
     * all instances, and each time the plans of all jobs of the namespace are read. Asked once, while the engine is built; a
     * failure fails that.
     */
    default boolean needsLoads() {
        return false;
    }

    /**
     * Whether requests are to have {@link Request#measured}. The executions of a job of such a strategy are measured, and its
     * leader asks once an hour, even if nothing has changed. Asked once, while the engine is built; a failure fails that.
     */
    default boolean needsDurations() {
        return false;
    }

    /**
     * What is known of the executions of a job's items. Immutable.
     *
     * @param durations how long each item takes, smoothed over its executions; more than 0. Items that have not been executed
     *     are missing, and all are if the job is not monitored
     * @param moves how many items may leave an owner that is there, for the sake of balance: a twentieth of all, and at least
     *     one, in the request that comes once an hour; 0 in all others. An answer to that one request that moves more is not
     *     used
     */
    record Measured(Map<Integer, Duration> durations, int moves) {
        /** Nothing is known, and nothing is to move. */
        public static final Measured NOTHING = new Measured(Map.of(), 0);

        public Measured {
            durations = Map.copyOf(durations);
        }
    }

    /**
     * The items to assign, and the instances to choose from. Immutable.
     *
     * @param jobName the job
     * @param shardingTotalCount the number of items, at least 1
     * @param instances the ids of all instances that may own items, each once; never empty, in descending string order
     * @param currentOwners the current owner of each item. May contain instances that are gone and items beyond the
     *     total; items without an owner are missing
     * @param labels those of each instance, by name; instances without labels may be missing
     * @param capacities what the items of each instance may weigh together, those of other jobs included; instances without
     *     a limit are missing
     * @param weights of the items; those of weight 1 may be missing
     * @param loads what the items of other jobs that each instance owns weigh together, as far as it can be read: jobs whose
     *     nodes may not be read count nothing, and now and then another plan comes in between. Instances without any may be
     *     missing, and all are if the strategy doesn't {@linkplain ShardingStrategy#needsLoads() ask for them}
     * @param measured how long the items take, and how many of them may move; {@link Measured#NOTHING} if the strategy doesn't
     *     {@linkplain ShardingStrategy#needsDurations() ask for it}
     */
    record Request(
            String jobName,
            int shardingTotalCount,
            List<String> instances,
            Map<Integer, String> currentOwners,
            Map<String, Map<String, String>> labels,
            Map<String, Integer> capacities,
            Map<Integer, Integer> weights,
            Map<String, Long> loads,
            Measured measured) {
        public Request {
            loads = Map.copyOf(loads);
            capacities = Map.copyOf(capacities);
            weights = Map.copyOf(weights);
            instances = List.copyOf(instances);
            currentOwners = Map.copyOf(currentOwners);
            labels = labels.entrySet().stream()
                    .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, of -> Map.copyOf(of.getValue())));
            if (shardingTotalCount < 1 || instances.isEmpty()) {
                throw new IllegalArgumentException(
                        "Job \"%s\" has %d items and %d instances to divide them among; at least 1 of each is needed"
                                .formatted(jobName, shardingTotalCount, instances.size()));
            }
        }

        /** Of instances without labels and capacities, and items of weight 1. */
        public Request(
                String jobName, int shardingTotalCount, List<String> instances, Map<Integer, String> currentOwners) {
            this(jobName, shardingTotalCount, instances, currentOwners, Map.of());
        }

        /** Of instances without capacities, and items of weight 1. */
        public Request(
                String jobName,
                int shardingTotalCount,
                List<String> instances,
                Map<Integer, String> currentOwners,
                Map<String, Map<String, String>> labels) {
            this(jobName, shardingTotalCount, instances, currentOwners, labels, Map.of(), Map.of());
        }

        /** Of instances that have no items of other jobs. */
        public Request(
                String jobName,
                int shardingTotalCount,
                List<String> instances,
                Map<Integer, String> currentOwners,
                Map<String, Map<String, String>> labels,
                Map<String, Integer> capacities,
                Map<Integer, Integer> weights) {
            this(jobName, shardingTotalCount, instances, currentOwners, labels, capacities, weights, Map.of());
        }

        /** Of which nothing is measured. */
        public Request(
                String jobName,
                int shardingTotalCount,
                List<String> instances,
                Map<Integer, String> currentOwners,
                Map<String, Map<String, String>> labels,
                Map<String, Integer> capacities,
                Map<Integer, Integer> weights,
                Map<String, Long> loads) {
            this(
                    jobName,
                    shardingTotalCount,
                    instances,
                    currentOwners,
                    labels,
                    capacities,
                    weights,
                    loads,
                    Measured.NOTHING);
        }

        /** What an item takes of the capacity of its owner. */
        public int weight(int item) {
            return weights.getOrDefault(item, 1);
        }

        /** What an instance has of other jobs; 0 if the strategy doesn't {@linkplain ShardingStrategy#needsLoads() ask}. */
        public long load(String instance) {
            return loads.getOrDefault(instance, 0L);
        }

        /** How long an item takes; empty if that isn't known. */
        public Optional<Duration> duration(int item) {
            return Optional.ofNullable(measured.durations().get(item));
        }

        /** What the items of an instance may weigh together; empty if there is no limit. */
        public OptionalInt capacity(String instance) {
            Integer capacity = capacities.get(instance);
            return capacity == null ? OptionalInt.empty() : OptionalInt.of(capacity);
        }

        /** The value of an instance's label. */
        public Optional<String> label(String instance, String name) {
            return Optional.ofNullable(labels.getOrDefault(instance, Map.of()).get(name));
        }
    }
}
