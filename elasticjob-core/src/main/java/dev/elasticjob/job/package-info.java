/**
 * What a job author imports, and nothing else: the kinds of job, the context an execution gets, and the
 * strategies. The events that the engine reports are in {@code job.event}.
 *
 * <p>Imports nothing of ours. Each type says on which thread it is called.
 */
@NullMarked
package dev.elasticjob.job;

import org.jspecify.annotations.NullMarked;
