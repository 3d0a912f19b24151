/**
 * Observations of firings and items, for traces. {@link dev.elasticjob.spring.observation.JobObservation} is the table
 * of them, and a bean of the type {@link dev.elasticjob.spring.observation.FiringObservationConvention} or {@link
 * dev.elasticjob.spring.observation.ItemObservationConvention} changes their names and keys.
 *
 * <p>Imports {@code autoconfigure}. Not loaded without Micrometer Observation.
 */
@NullMarked
package dev.elasticjob.spring.observation;

import org.jspecify.annotations.NullMarked;
