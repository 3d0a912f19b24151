package dev.elasticjob.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names the observations of firings and their keys. A bean of this type replaces {@link DefaultFiringObservationConvention}. */
public interface FiringObservationConvention extends ObservationConvention<FiringObservationContext> {
    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof FiringObservationContext;
    }
}
