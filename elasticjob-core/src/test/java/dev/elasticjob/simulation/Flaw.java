package dev.elasticjob.simulation;

import dev.elasticjob.coordination.item.InstanceCapacity;
import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.time.TaskTimer;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/**
 * A rule of the protocol that the processes of a world don't keep. It is taken out of what their engines are given, never
 * out of the engines: those stay as they are.
 */
interface Flaw extends UnaryOperator<Registry> {
    /** Every rule is kept. */
    Flaw NONE = registry -> registry;

    /** The registry as those see it who ask for the demand. */
    default Registry shown(Registry registry) {
        return registry;
    }

    /** What counts an engine's room. */
    default InstanceCapacity capacity(OptionalInt limit) {
        return new InstanceCapacity(limit);
    }

    /** What divides the items instead of a built-in strategy. */
    default Optional<ShardingStrategy> inPlaceOf(String strategy) {
        return Optional.empty();
    }

    /** The time as engines see it. */
    default TaskTimer timer(TaskTimer timer) {
        return timer;
    }
}
