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
import java.util.function.Consumer;

/**
 * Moves bounded: a plan takes an item from an owner that has been there since the plan before only if that makes the larger of
 * the two loads smaller, by what is in force at that transaction. Of jobs with one item of weight 1 that are all spread.
 */
final class SpreadChain implements Quorum.Witness {
    private final Quorum quorum;
    private final Consumer<String> violated;
    /** The owner of each job that has one. */
    private final Map<String, String> owners = new TreeMap<>();
    /** By job: the instances that have been there since its last plan, without interruption. */
    private final Map<String, Set<String>> standing = new HashMap<>();

    SpreadChain(Quorum quorum, Consumer<String> violated) {
        this.quorum = quorum;
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
        next.filter(owner -> before != null
                        && !owner.equals(before)
                        && standing.getOrDefault(job.jobName(), Set.of()).contains(before)
                        && load(owner) + 1 >= load(before))
                .ifPresent(owner ->
                        violated.accept("moves bounded: \"%s\" moves from %s, which has %d, to %s, which has %d already"
                                .formatted(job.jobName(), before, load(before), owner, load(owner))));
        next.ifPresentOrElse(owner -> owners.put(job.jobName(), owner), () -> owners.remove(job.jobName()));
        standing.put(
                job.jobName(),
                new HashSet<>(quorum.tree().children(job.instances()).orElse(List.of())));
    }

    /** The owner of each job that has one. */
    Map<String, String> owners() {
        return new TreeMap<>(owners);
    }

    long load(String instance) {
        return owners.values().stream()
                .filter(owner -> Objects.equals(owner, instance))
                .count();
    }
}
