/**
 * The events that the engine reports about jobs, and the state of a job on an instance. The documentation of each type
 * states on which thread it is called.
 */
@NullMarked
package dev.elasticjob.job.event;

import org.jspecify.annotations.NullMarked;
