package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.leader.AverageAllocation.Order;
import dev.elasticjob.coordination.view.Members.Shown;
import dev.elasticjob.definition.BuiltInStrategy;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.Failures;
import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.job.ShardingStrategy.Measured;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The sharding strategies by name: the built-in ones, and those a user has added. Immutable.
 *
 * <p>{@code AVG_ALLOCATION}, {@code ODEVITY} and {@code ROUND_ROBIN} are those of Elastic-Job 2.1.5. {@code STICKY} moves as
 * few items as balance allows, and so does {@code ZONE}, with balance among the values of the label {@code zone}, and
 * {@code WEIGHTED}, with balance of weights in proportion to capacities. {@code SPREAD} does that over all jobs, and
 * {@code MEASURED} by how long the items take. A job that
 * names none is divided by {@code AVG_ALLOCATION}, or by {@code SPREAD} if it has one item only
 * ({@code docs/internals/adr/0036-jobs-of-one-item-are-spread.md}). Examples, for instances C, B and A:
 *
 * <table>
 * <caption>The items of each instance</caption>
 * <tr><th>strategy</th><th>job, items</th><th>assignment</th></tr>
 * <tr><td>AVG_ALLOCATION</td><td>any, 10</td><td>C=0,1,2,9 B=3,4,5 A=6,7,8</td></tr>
 * <tr><td>AVG_ALLOCATION</td><td>any, 1</td><td>C=0</td></tr>
 * <tr><td>ODEVITY</td><td>jobA (even hash), 2</td><td>A=0 B=1</td></tr>
 * <tr><td>ODEVITY</td><td>jobB (odd hash), 2</td><td>C=0 B=1</td></tr>
 * <tr><td>ROUND_ROBIN</td><td>jobA (hash % 3 is 2), 1</td><td>A=0</td></tr>
 * <tr><td>STICKY</td><td>jobB, 6, A joins C=0,1,2 B=3,4,5</td><td>C=0,1 B=3,4 A=2,5</td></tr>
 * </table>
 */
public final class ShardingStrategies {
    private final Map<String, ShardingStrategy> byName;
    /** Asked once, because the strategies of users are foreign code. */
    private final Set<ShardingStrategy> needingLoads;

    private final Set<ShardingStrategy> needingDurations;

    private ShardingStrategies(Map<String, ShardingStrategy> byName) {
        this.byName = Collections.unmodifiableMap(byName);
        this.needingLoads = those(byName, "loads, but its needsLoads()", ShardingStrategy::needsLoads);
        this.needingDurations = those(byName, "durations, but its needsDurations()", ShardingStrategy::needsDurations);
    }

    private static Set<ShardingStrategy> those(
            Map<String, ShardingStrategy> byName, String whatByWhat, Predicate<ShardingStrategy> needs) {
        Set<ShardingStrategy> needing = Collections.newSetFromMap(new IdentityHashMap<>());
        byName.forEach((name, strategy) -> {
            try {
                if (needs.test(strategy)) {
                    needing.add(strategy);
                }
            } catch (Throwable e) {
                throw new IllegalArgumentException(
                        ("Expected the sharding strategy \"%s\" (%s) to say whether it needs %s failed: %s. It must answer"
                                        + " without a failure")
                                .formatted(name, strategy.getClass().getName(), whatByWhat, Failures.text(e)),
                        Failures.printable(e));
            }
        });
        return needing;
    }

    public static ShardingStrategies builtIn() {
        Map<String, ShardingStrategy> byName = new LinkedHashMap<>();
        for (BuiltInStrategy strategy : BuiltInStrategy.values()) {
            byName.put(strategy.name(), made(strategy));
        }
        return new ShardingStrategies(byName);
    }

    private static ShardingStrategy made(BuiltInStrategy strategy) {
        return switch (strategy) {
            case AVG_ALLOCATION -> new AverageAllocation(Order.AS_GIVEN);
            case ODEVITY -> new AverageAllocation(Order.ASCENDING_IF_NAME_IS_EVEN);
            case ROUND_ROBIN -> new AverageAllocation(Order.ROTATED_BY_NAME);
            case STICKY -> new StickyAllocation();
            case ZONE -> new ZoneAllocation();
            case WEIGHTED -> new WeightedAllocation();
            case SPREAD -> new SpreadAllocation();
            case MEASURED -> new MeasuredAllocation();
        };
    }

    /**
     * These strategies and a user's own.
     *
     * @throws IllegalArgumentException when a name is blank or taken, or a strategy doesn't say whether it needs loads
     */
    public ShardingStrategies withCustom(Map<String, ShardingStrategy> custom) {
        Map<String, ShardingStrategy> all = new LinkedHashMap<>(byName);
        new TreeMap<>(custom).forEach((name, strategy) -> {
            if (name.isBlank() || find(name).isPresent()) {
                throw new IllegalArgumentException(
                        ("A sharding strategy can't be named \"%s\": the name must not be blank, one of %s, or one of"
                                        + " Elastic-Job 2.1.5's class names for these. Choose another name")
                                .formatted(name, names()));
            }
            all.put(name, strategy);
        });
        return new ShardingStrategies(all);
    }

    /** Whether the job names no strategy, so that its number of items decides. */
    public static boolean usesDefault(JobDefinition definition) {
        return definition.jobShardingStrategyClass().isBlank();
    }

    /** The name of the strategy that divides the job's items: as the job writes it, or that of the default one. */
    public static String nameFor(JobDefinition definition) {
        if (usesDefault(definition)) {
            return (definition.shardingTotalCount() == 1 ? BuiltInStrategy.SPREAD : BuiltInStrategy.AVG_ALLOCATION)
                    .name();
        }
        return definition.jobShardingStrategyClass().strip();
    }

    /** The strategy that divides the job's items; empty if it names one that is not here. */
    private Optional<ShardingStrategy> find(JobDefinition definition) {
        return find(nameFor(definition));
    }

    /** The strategy of that name or of that class of 2.1.5. */
    public Optional<ShardingStrategy> find(String name) {
        String wanted = name.strip();
        return Optional.ofNullable(
                byName.get(BuiltInStrategy.of(wanted).map(BuiltInStrategy::name).orElse(wanted)));
    }

    /** Whether the job's strategy is to know what the instances have of other jobs. */
    public boolean needsLoads(JobDefinition definition) {
        return find(definition).filter(needingLoads::contains).isPresent();
    }

    /** Whether the job's strategy is to know how long the items take. Only records of monitored executions tell it. */
    public boolean needsDurations(JobDefinition definition) {
        return definition.monitorExecution()
                && find(definition).filter(needingDurations::contains).isPresent();
    }

    /** Whether the job's strategy is a built-in one, which is fast and never fails. */
    boolean isBuiltIn(JobDefinition definition) {
        return !BuiltInStrategy.isNotNamedBy(definition);
    }

    /** All names, the built-in ones first, for error messages. */
    public List<String> names() {
        return List.copyOf(byName.keySet());
    }

    /** Of the items that don't have the weight 1. */
    private static Map<Integer, Integer> weights(JobDefinition definition) {
        return definition.isWeighted()
                ? IntStream.range(0, definition.shardingTotalCount())
                        .boxed()
                        .collect(Collectors.toMap(item -> item, definition::weightOf))
                : Map.of();
    }

    /**
     * Divides a job's items by the strategy its definition names, and checks the answer. Runs foreign code, which may
     * take its time.
     *
     * @param instances the eligible ones, in descending string order of their ids, with what they show; not empty
     * @param currentOwners the present owner of each item
     * @param loads what each instance has of other jobs, if the strategy {@linkplain #needsLoads needs} it
     * @param measured how long the items take, if the strategy {@linkplain #needsDurations needs} it
     * @return the owner of each item
     * @throws IllegalStateException when there is no such strategy, or it throws or answers wrongly; the definition
     *     with an empty strategy name never does
     */
    public NavigableMap<Integer, String> divide(
            JobDefinition definition,
            NavigableMap<String, Shown> instances,
            Map<Integer, String> currentOwners,
            Map<String, Long> loads,
            Measured measured) {
        String name = nameFor(definition);
        ShardingStrategy strategy = find(name)
                .orElseThrow(() -> new IllegalStateException(
                        "Job \"%s\" uses the sharding strategy \"%s\", but this instance has only %s: add a bean of that name"
                                .formatted(definition.jobName(), name, names())));
        Map<String, Map<String, String>> labels = new HashMap<>();
        Map<String, Integer> capacities = new HashMap<>();
        instances.forEach((instance, shown) -> {
            labels.put(instance, shown.labels().values());
            shown.capacity().ifPresent(capacity -> capacities.put(instance, capacity));
        });
        var request = new ShardingStrategy.Request(
                definition.jobName(),
                definition.shardingTotalCount(),
                List.copyOf(instances.keySet()),
                currentOwners,
                labels,
                capacities,
                weights(definition),
                needsLoads(definition) ? loads : Map.of(),
                needsDurations(definition) ? measured : Measured.NOTHING);
        Map<String, List<Integer>> answer;
        try {
            answer = strategy.shard(request);
        } catch (Throwable e) {
            throw new IllegalStateException(
                    "Sharding strategy \"%s\" failed for job \"%s\": %s"
                            .formatted(name, definition.jobName(), Failures.text(e)),
                    Failures.printable(e));
        }
        return checkedOwners(name, request, answer);
    }

    /**
     * Checks what a strategy answered: every item exactly once, and no instance that wasn't given.
     *
     * @param strategy its name, for the error
     * @param answer may be anything: strategies are foreign code
     * @return the owner of each item, by item in ascending order
     * @throws IllegalStateException naming the strategy, the job and the first fault
     */
    static NavigableMap<Integer, String> checkedOwners(
            String strategy, ShardingStrategy.Request request, @Nullable Map<String, List<Integer>> answer) {
        if (answer == null) {
            throw fault(strategy, request, "it returned null");
        }
        NavigableMap<Integer, String> owners = new TreeMap<>();
        Set<String> instances = new HashSet<>(request.instances());
        answer.forEach((instance, items) -> {
            if (!instances.contains(instance) || items == null) {
                String stranger = "it assigned %s to \"%s\"; the instances are %s";
                throw fault(strategy, request, stranger.formatted(items, instance, request.instances()));
            }
            for (Integer item : items) {
                if (item == null || item < 0 || item >= request.shardingTotalCount()) {
                    throw fault(strategy, request, "there is no item " + item);
                }
                String other = owners.put(item, instance);
                if (other != null) {
                    String twice = "item %d was assigned to \"%s\" and to \"%s\"";
                    throw fault(strategy, request, twice.formatted(item, other, instance));
                }
            }
        });
        for (int item = 0; owners.size() < request.shardingTotalCount(); item++) {
            if (!owners.containsKey(item)) {
                throw fault(strategy, request, "item " + item + " was not assigned");
            }
        }
        return Collections.unmodifiableNavigableMap(owners);
    }

    private static IllegalStateException fault(String strategy, ShardingStrategy.Request request, String found) {
        return new IllegalStateException(
                ("Sharding strategy \"%s\" must assign each of the %d items of job \"%s\" to exactly one of the given"
                                + " instances, but %s")
                        .formatted(strategy, request.shardingTotalCount(), request.jobName(), found));
    }
}
