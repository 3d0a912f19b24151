package dev.elasticjob.engine;

import dev.elasticjob.coordination.item.InstanceCapacity;
import java.util.OptionalInt;
import java.util.function.Function;

/** Engines whose room is counted in another way, for tests of other packages. */
public final class CountedEngines {
    private CountedEngines() {}

    public static ElasticJobEngineBuilder builder(
            ElasticJobEngineBuilder engine, Function<OptionalInt, InstanceCapacity> capacities) {
        return engine.countedBy(capacities);
    }
}
