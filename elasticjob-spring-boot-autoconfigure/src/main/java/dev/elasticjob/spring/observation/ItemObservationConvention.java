package dev.elasticjob.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names the observations of items and their keys. A bean of this type replaces {@link DefaultItemObservationConvention}. */
public interface ItemObservationConvention extends ObservationConvention<ItemObservationContext> {
    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof ItemObservationContext;
    }
}
