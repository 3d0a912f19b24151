/**
 * What the engine reports about jobs, as events, and the state that a job is in on an instance. Each type says on which
 * thread it is called.
 */
@NullMarked
package dev.elasticjob.job.event;

import org.jspecify.annotations.NullMarked;
