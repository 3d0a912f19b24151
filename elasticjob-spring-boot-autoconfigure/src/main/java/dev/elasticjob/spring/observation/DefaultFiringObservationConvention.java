package dev.elasticjob.spring.observation;

import dev.elasticjob.spring.observation.JobObservation.ObservedKey;
import io.micrometer.common.KeyValues;
import java.util.stream.Collectors;

/** The names of firings, unless the application has a convention of its own. Made to be extended. */
public class DefaultFiringObservationConvention implements FiringObservationConvention {
    @Override
    public String getName() {
        return "elasticjob.firing";
    }

    @Override
    public String getContextualName(FiringObservationContext context) {
        return "firing " + context.contexts().jobName();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(FiringObservationContext context) {
        return KeyValues.of(ObservedKey.JOB.withValue(context.contexts().jobName()));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(FiringObservationContext context) {
        return KeyValues.of(
                ObservedKey.RUN.withValue(context.contexts().runId()),
                ObservedKey.ITEMS.withValue(context.contexts().items().stream()
                        .map(item -> String.valueOf(item.getShardingItem()))
                        .collect(Collectors.joining(","))));
    }
}
