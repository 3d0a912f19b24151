package dev.elasticjob.admin.explain;

import dev.elasticjob.coordination.leader.Candidates;
import dev.elasticjob.coordination.leader.ShardingStrategies;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.view.InstanceLoads;
import dev.elasticjob.coordination.view.JobSnapshot;
import dev.elasticjob.coordination.view.JobSnapshot.InstanceNode;
import dev.elasticjob.coordination.view.Members;
import dev.elasticjob.coordination.view.Members.Shown;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.text.NearestName;
import dev.elasticjob.job.ShardingStrategy.Measured;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Who would own which items if the leader resharded a job under other conditions. Pure: the job's own sharding strategy
 * divides the items, as for the leader. A preview: the leader decides again, by what it reads then. As if only this job were
 * planned: with a strategy that counts what the instances have of other jobs, each job's preview may choose the same
 * instance, and the leaders, which plan one after the other, don't. If the other jobs may not be read, they count nothing.
 * Immutable.
 *
 * @param strategy that divided the items
 * @param total the number of items
 * @param instances the present ones and those that would join, in ascending order of their ids
 * @param moved the items that would change their owner
 * @param assigned the items that have no owner now, and would have one
 * @param unowned the items that have an owner now, and would have none, because no instance could take them
 * @param removed the items beyond the total, which would end
 */
public record ReshardPreview(
        String strategy,
        int total,
        List<Share> instances,
        List<Integer> moved,
        List<Integer> assigned,
        List<Integer> unowned,
        List<Integer> removed) {
    /** Sorts before every id of a real instance, so that the strategies give it the last place. */
    private static final String JOINING = "+";

    public ReshardPreview {
        instances = List.copyOf(instances);
        moved = List.copyOf(moved);
        assigned = List.copyOf(assigned);
        unowned = List.copyOf(unowned);
        removed = List.copyOf(removed);
    }

    /**
     * The items of one instance.
     *
     * @param instance its id; {@code +1}, {@code +2} and so on for one that would join. Its place among the others is a guess:
     *     strategies order instances by their ids. It matches, and those that join have the labels of the present ones, in
     *     turns
     * @param change why its place in the job would differ from the present one
     * @param eligible whether items can be given to it
     */
    public record Share(String instance, Change change, boolean eligible, List<Integer> before, List<Integer> after) {
        public Share {
            before = List.copyOf(before);
            after = List.copyOf(after);
        }
    }

    /** What would become of an instance. */
    public enum Change {
        STAYS,
        JOINS,
        LEAVES
    }

    /**
     * What the preview starts from, as it was read.
     *
     * @param instances all of them
     * @param candidates those that may own items, and those that have left and are awaited
     * @param owners the present owner of each item
     * @param loads what each instance has of other jobs
     * @param measured how long the items take, as far as their records show
     */
    record Present(
            JobDefinition definition,
            Set<String> instances,
            Candidates candidates,
            Map<Integer, String> owners,
            Map<String, Long> loads,
            Measured measured) {}

    /** Whether the strategy that would divide the job's items is to know how long they take. */
    public static boolean needsDurations(JobSnapshot job, WhatIf question) {
        return isAskedOf(job, question, ShardingStrategies.builtIn()::needsDurations);
    }

    /** Whether the strategy that would divide the job's items is to know what the instances have of other jobs. */
    public static boolean needsLoads(JobSnapshot job, WhatIf question) {
        return isAskedOf(job, question, ShardingStrategies.builtIn()::needsLoads);
    }

    private static boolean isAskedOf(JobSnapshot job, WhatIf question, Predicate<JobDefinition> needs) {
        return job.definition()
                .map(definition -> changed(definition, question))
                .filter(needs)
                .isPresent();
    }

    /**
     * @param job with its members
     * @param loads of all jobs, if the strategy {@linkplain #needsLoads needs them}
     * @param durations of the items, if the strategy {@linkplain #needsDurations needs them}
     * @param registryNow by which instances that have left may be awaited still
     * @throws IllegalArgumentException if a value of the question can't be used, such as an instance that is not there
     * @throws IllegalStateException if nobody outside the job's own instances can say how its items would be divided
     */
    public static ReshardPreview of(
            JobSnapshot job,
            WhatIf question,
            InstanceLoads loads,
            Map<Integer, Duration> durations,
            Instant registryNow) {
        JobDefinition definition = job.definition()
                .orElseThrow(() ->
                        new IllegalStateException(job.problem().orElse("The job's settings are not in the registry")));
        if (job.assignment().filter(Assignment::isHeld).isPresent()) {
            throw new IllegalStateException(job.problem().orElse("Instances of other software take part in the job"));
        }
        Map<Integer, String> owners = job.assignment().map(Assignment::owners).orElseGet(TreeMap::new);
        Members members = Members.of(job).chosenBy(changed(definition, question).instances());
        return of(
                new Present(
                        definition,
                        job.instances().stream().map(InstanceNode::id).collect(Collectors.toSet()),
                        Candidates.of(members, owners, registryNow),
                        owners,
                        loads.besides(definition.jobName()),
                        new Measured(durations, 0)),
                question);
    }

    static ReshardPreview of(Present present, WhatIf question) {
        mustBeThere(present, question);
        JobDefinition definition = changed(present.definition(), question);
        ShardingStrategies strategies = ShardingStrategies.builtIn();
        mustBeBuiltIn(strategies, definition);
        Set<String> joining = IntStream.rangeClosed(1, question.more())
                .mapToObj(number -> JOINING + number)
                .collect(Collectors.toCollection(TreeSet::new));
        NavigableMap<String, Shown> eligible = new TreeMap<>(Comparator.reverseOrder());
        eligible.putAll(present.candidates().present());
        eligible.keySet().removeAll(question.without());
        List<Shown> shown = List.copyOf(eligible.values());
        int next = 0;
        for (String id : joining) {
            eligible.put(id, shown.isEmpty() ? Shown.NOTHING : shown.get(next++ % shown.size()));
        }
        NavigableMap<Integer, String> after =
                eligible.isEmpty() ? new TreeMap<>() : divided(strategies, definition, eligible, present);
        return compared(definition, new Instances(present, question, joining, eligible.keySet()), after);
    }

    /** As the leader would divide them. */
    private static NavigableMap<Integer, String> divided(
            ShardingStrategies strategies,
            JobDefinition definition,
            NavigableMap<String, Shown> eligible,
            Present present) {
        Candidates candidates = present.candidates().withPresent(eligible);
        Candidates.Question question = candidates.question(present.owners(), present.loads(), present.measured());
        return candidates.settled(question.askedOf(strategies, definition), question.current(), definition::weightOf);
    }

    private record Instances(Present present, WhatIf question, Set<String> joining, Set<String> eligible) {
        List<Share> shares(Map<Integer, String> after) {
            Map<String, List<Integer>> had = itemsByOwner(present.owners());
            Map<String, List<Integer>> gets = itemsByOwner(after);
            Set<String> all = new TreeSet<>(present.instances());
            all.addAll(had.keySet());
            all.addAll(joining);
            return all.stream()
                    .map(id -> new Share(
                            id,
                            change(id),
                            eligible.contains(id),
                            had.getOrDefault(id, List.of()),
                            gets.getOrDefault(id, List.of())))
                    .toList();
        }

        /** An owner that is gone leaves too. */
        private Change change(String id) {
            if (joining.contains(id)) {
                return Change.JOINS;
            }
            boolean isThere = present.instances().contains(id)
                    || present.candidates().awaited().containsKey(id);
            return question.without().contains(id) || !isThere ? Change.LEAVES : Change.STAYS;
        }
    }

    private static ReshardPreview compared(
            JobDefinition definition, Instances instances, NavigableMap<Integer, String> after) {
        int total = definition.shardingTotalCount();
        NavigableMap<Integer, String> before = new TreeMap<>(instances.present().owners());
        List<Integer> moved = new ArrayList<>();
        List<Integer> assigned = new ArrayList<>();
        after.forEach((item, owner) -> {
            if (!before.containsKey(item)) {
                assigned.add(item);
            } else if (!owner.equals(before.get(item))) {
                moved.add(item);
            }
        });
        return new ReshardPreview(
                ShardingStrategies.nameFor(definition),
                total,
                instances.shares(after),
                moved,
                assigned,
                after.isEmpty() ? List.copyOf(before.headMap(total).keySet()) : List.of(),
                List.copyOf(before.tailMap(total).keySet()));
    }

    private static Map<String, List<Integer>> itemsByOwner(Map<Integer, String> owners) {
        Map<String, List<Integer>> items = new TreeMap<>();
        new TreeMap<>(owners)
                .forEach((item, owner) ->
                        items.computeIfAbsent(owner, id -> new ArrayList<>()).add(item));
        return Collections.unmodifiableMap(items);
    }

    private static void mustBeThere(Present present, WhatIf question) {
        Set<String> unknown = new TreeSet<>(question.without());
        unknown.removeAll(present.instances());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("Job \"%s\" has no instance %s; its instances are %s"
                    .formatted(present.definition().jobName(), unknown, new TreeSet<>(present.instances())));
        }
    }

    private static JobDefinition changed(JobDefinition definition, WhatIf question) {
        JobDefinition.Builder changed = definition.toBuilder();
        question.total().ifPresent(changed::shardingTotalCount);
        question.strategy().ifPresent(changed::jobShardingStrategyClass);
        question.runOn().ifPresent(changed::runOn);
        return changed.build();
    }

    /** A strategy of the application's own is code that an inspector need not have. */
    private static void mustBeBuiltIn(ShardingStrategies strategies, JobDefinition definition) {
        String name = ShardingStrategies.nameFor(definition);
        List<String> names = strategies.names();
        if (strategies.find(name).isEmpty()) {
            throw new IllegalStateException(
                    ("The sharding strategy \"%s\" of job \"%s\" is none of the built-in ones. It may be a bean of the application"
                                    + " that runs the job; a preview divides by the built-in ones only.%s Choose one of %s")
                            .formatted(name, definition.jobName(), NearestName.question(name, names), names));
        }
    }
}
