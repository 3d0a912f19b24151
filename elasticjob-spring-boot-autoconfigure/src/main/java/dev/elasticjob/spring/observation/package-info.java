/**
 * Observations of firings, items and calls of cluster listeners, for traces. {@link
 * dev.elasticjob.spring.observation.JobObservation} is the table of them, and a bean of the type {@link
 * dev.elasticjob.spring.observation.FiringObservationConvention}, {@link
 * dev.elasticjob.spring.observation.ItemObservationConvention} or {@link
 * dev.elasticjob.spring.observation.HookObservationConvention} changes their names and keys.
 *
 * <p>Imports {@code autoconfigure}. Not loaded without Micrometer Observation.
 */
@NullMarked
package dev.elasticjob.spring.observation;

import org.jspecify.annotations.NullMarked;
