package dev.elasticjob.simulation;

import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.Replica.Change;
import dev.elasticjob.simulation.Replica.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a process has never weighs more than its capacity, over all jobs: neither its locks nor, by the weight of the lock that
 * each began with, what it executes. Executions without a lock are not judged.
 */
final class CapacityChain implements Quorum.Witness {
    private static final Pattern LOCK = Pattern.compile("/([^/]+)/sharding/(\\d+)/running");
    private static final Pattern INSTANCE = Pattern.compile("/[^/]+/instances/[^/]+");

    private final Oracle oracle;
    private final Quorum quorum;
    /** What the instances of each session have shown: a tool may write over it. */
    private final Map<Long, Integer> capacities = new HashMap<>();
    /** The locks that there are, with what they weighed when they were made. */
    private final Map<String, Lock> locks = new HashMap<>();

    /** What is executed, with what it weighs. */
    private final Map<Execution, Integer> bodies = new HashMap<>();

    private record Lock(long session, int weight) {}

    CapacityChain(Oracle oracle, Quorum quorum) {
        this.oracle = oracle;
        this.quorum = quorum;
    }

    @Override
    public void changed(long session, List<Change> changes) {
        for (Change change : changes) {
            Matcher lock = LOCK.matcher(change.path());
            if (INSTANCE.matcher(change.path()).matches()) {
                change.after().ifPresent(this::learn);
            } else if (lock.matches() && change.after().isEmpty()) {
                locks.remove(change.path());
            } else if (lock.matches() && change.kind() == Kind.CREATED) {
                RegistryNode node = change.after().orElseThrow();
                if (node.isEphemeral()) {
                    int weight = weight(new JobTree(lock.group(1)), Integer.parseInt(lock.group(2)));
                    locks.put(change.path(), new Lock(node.ephemeralOwner(), weight));
                    judge(node.ephemeralOwner(), change.path());
                }
            }
        }
    }

    void begins(Execution execution, String lock) {
        Lock held = locks.get(lock);
        if (held == null || execution.token() == 0) {
            return;
        }
        bodies.put(execution, held.weight());
        long executed = bodies.entrySet().stream()
                .filter(body -> body.getKey().process() == execution.process())
                .mapToLong(Map.Entry::getValue)
                .sum();
        int capacity = capacities.getOrDefault(held.session(), Integer.MAX_VALUE);
        if (executed > capacity) {
            oracle.violated("capacity: with %s, a process executes what weighs %d, and its capacity is %d"
                    .formatted(execution, executed, capacity));
        }
    }

    void returns(Execution execution) {
        bodies.remove(execution);
    }

    /** What the locks of a session weigh. */
    long weightOf(long session) {
        return locks.values().stream()
                .filter(lock -> lock.session() == session)
                .mapToLong(Lock::weight)
                .sum();
    }

    private void learn(RegistryNode instance) {
        NodeCodec.capacity(instance.text()).ifPresent(capacity -> capacities.put(instance.ephemeralOwner(), capacity));
    }

    private int weight(JobTree tree, int item) {
        return InForce.isDefined(quorum.tree(), tree)
                ? InForce.definition(quorum.tree(), tree).weightOf(item)
                : 1;
    }

    private void judge(long session, String path) {
        int capacity = capacities.getOrDefault(session, Integer.MAX_VALUE);
        long taken = weightOf(session);
        if (taken > capacity) {
            oracle.violated("capacity: with %s, the items of one process weigh %d, and its capacity is %d"
                    .formatted(path, taken, capacity));
        }
    }
}
