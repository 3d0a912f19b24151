package dev.elasticjob.coordination.progress;

import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How far the executions of a job have come, according to the nodes of the instances that execute them. Immutable. */
public final class ReportedProgress {
    /** Nothing was read. */
    public static final ReportedProgress UNKNOWN = new ReportedProgress(Map.of());

    private static final ProgressNode NOTHING = new ProgressNode(Collections.emptySortedMap());

    private final Map<String, OfInstance> instances;

    private ReportedProgress(Map<String, OfInstance> instances) {
        this.instances = Map.copyOf(instances);
    }

    private record OfInstance(ProgressNode node, Instant written, Optional<String> problem) {}

    /**
     * The progress of an execution.
     *
     * @param written when its instance last wrote what it knows, by the registry's clock
     */
    public record Known(ItemProgress progress, Instant written) {}

    /** @param instances that hold locks */
    public static List<RegistryRead> reads(JobTree tree, Collection<String> instances) {
        return instances.stream()
                .distinct()
                .map(instance -> RegistryRead.data(tree.progress(instance)))
                .toList();
    }

    /** A node that can't be read says so, and nothing else. */
    public static ReportedProgress of(JobTree tree, Collection<String> instances, RegistryAnswer answer) {
        Map<String, OfInstance> read = new HashMap<>();
        for (String instance : instances) {
            String path = tree.progress(instance);
            answer.node(path).ifPresent(node -> read.put(instance, of(path, node)));
        }
        return new ReportedProgress(read);
    }

    private static OfInstance of(String path, RegistryNode node) {
        try {
            return new OfInstance(ProgressNode.read(path, node.data()), node.modified(), Optional.empty());
        } catch (CorruptNodeException e) {
            return new OfInstance(NOTHING, node.modified(), Optional.ofNullable(e.getMessage()));
        }
    }

    /** The progress of an execution; empty if it has reported nothing. */
    public Optional<Known> of(int item, RegistryNode lock) {
        return Optional.ofNullable(instances.get(lock.text()))
                .flatMap(from -> Optional.ofNullable(from.node().items().get(item))
                        .filter(entry -> entry.token() == lock.czxid())
                        .map(entry -> new Known(entry.progress(), from.written())));
    }

    /** Why it isn't known how far the executions of an instance have come; empty if its node can be read. */
    public Optional<String> problem(RegistryNode lock) {
        return Optional.ofNullable(instances.get(lock.text())).flatMap(OfInstance::problem);
    }
}
