package dev.elasticjob.simulation;

import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.Replica.Change;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Moves bounded: a plan takes an item from an owner that has been there since the plan before only if that makes the larger of
 * the two loads smaller. Placed well: what has no owner, or one that is gone, goes to one that has the least of those that have
 * been there since the plan before. Both by what is in force at that transaction. Of jobs with one item of weight 1 that are all
 * spread.
 *
 * <p>A job that was without instances counts nothing until it has some, so whether it counts is left open until it is planned.
 */
final class SpreadChain implements Quorum.Witness {
    private final Quorum quorum;
    private final Consumer<String> violated;
    /** The owner of each job that has one. */
    private final Map<String, String> owners = new TreeMap<>();
    /** By job: the instances that have been there since its last plan, without interruption. */
    private final Map<String, Set<String>> standing = new HashMap<>();
    /** The jobs that were without instances since their last plan. */
    private final Set<String> doubtful = new HashSet<>();
    /** Whether a person has just deleted the node: plans that were under way may not agree. */
    private final BooleanSupplier pardoned;

    SpreadChain(Quorum quorum, BooleanSupplier pardoned, Consumer<String> violated) {
        this.quorum = quorum;
        this.pardoned = pardoned;
        this.violated = violated;
    }

    @Override
    public void changed(long session, List<Change> changes) {
        changes.forEach(change -> {
            String[] names = change.path().substring(1).split("/");
            JobTree tree = new JobTree(names[0]);
            if (names.length == 3
                    && names[1].equals("instances")
                    && change.after().isEmpty()) {
                standing.getOrDefault(names[0], new HashSet<>()).remove(names[2]);
                if (quorum.tree().children(tree.instances()).orElse(List.of()).isEmpty()) {
                    doubtful.add(names[0]);
                }
            } else if (names.length == 3
                    && names[1].equals("drain")
                    && change.after().isPresent()) {
                standing.getOrDefault(names[0], new HashSet<>()).remove(names[2]);
            } else if (change.path().equals(tree.sharding())) {
                planned(tree, change.after());
            }
        });
    }

    private void planned(JobTree job, Optional<RegistryNode> plan) {
        Optional<String> next = plan.filter(node -> node.data().length > 0)
                .map(node -> NodeCodec.readAssignment(job.sharding(), node.data()))
                .map(assignment -> assignment.owners().get(0));
        String before = owners.get(job.jobName());
        Set<String> there = standing.getOrDefault(job.jobName(), Set.of());
        next.filter(owner -> !owner.equals(before) && !pardoned.getAsBoolean()).ifPresent(owner -> {
            if (before != null && there.contains(before)) {
                isBounded(job, before, owner);
            } else {
                isPlacedWell(job, there, owner);
            }
        });
        next.ifPresentOrElse(owner -> owners.put(job.jobName(), owner), () -> owners.remove(job.jobName()));
        standing.put(
                job.jobName(),
                new HashSet<>(quorum.tree().children(job.instances()).orElse(List.of())));
        doubtful.remove(job.jobName());
    }

    private void isBounded(JobTree job, String before, String owner) {
        if (certain(owner) + 1 >= load(before)) {
            violated.accept("moves bounded: \"%s\" moves from %s, which has %d, to %s, which has %d already"
                    .formatted(job.jobName(), before, load(before), owner, load(owner)));
        }
    }

    /** Its own item counts for nobody: its owner is gone. */
    private void isPlacedWell(JobTree job, Set<String> there, String owner) {
        owners.remove(job.jobName());
        there.stream()
                .filter(other -> load(other) < certain(owner))
                .findAny()
                .ifPresent(other -> violated.accept("placed well: \"%s\" is given to %s, which has %d, but %s has %d"
                        .formatted(job.jobName(), owner, load(owner), other, load(other))));
    }

    /** The owner of each job that has one. */
    Map<String, String> owners() {
        return new TreeMap<>(owners);
    }

    /** What the instance has for certain. */
    private long certain(String instance) {
        return owners.entrySet().stream()
                .filter(owned -> !doubtful.contains(owned.getKey()))
                .filter(owned -> owned.getValue().equals(instance))
                .count();
    }

    /** What it has at most. */
    long load(String instance) {
        return owners.values().stream()
                .filter(owner -> Objects.equals(owner, instance))
                .count();
    }
}
