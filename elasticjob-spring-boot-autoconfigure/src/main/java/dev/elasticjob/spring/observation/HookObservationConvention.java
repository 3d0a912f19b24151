package dev.elasticjob.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names the observations of calls of cluster listeners and their keys. A bean of this type replaces {@link
 * DefaultHookObservationConvention}.
 */
public interface HookObservationConvention extends ObservationConvention<HookObservationContext> {
    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof HookObservationContext;
    }
}
