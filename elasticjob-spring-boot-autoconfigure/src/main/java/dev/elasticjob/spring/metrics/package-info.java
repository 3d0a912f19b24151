/**
 * Meters of jobs. {@link dev.elasticjob.spring.metrics.JobMeter} lists all of them, and {@link
 * dev.elasticjob.spring.metrics.JobMeters} fills them from the engine's events and figures.
 *
 * <p>Imports {@code autoconfigure}. Not loaded without Micrometer.
 */
@NullMarked
package dev.elasticjob.spring.metrics;

import org.jspecify.annotations.NullMarked;
