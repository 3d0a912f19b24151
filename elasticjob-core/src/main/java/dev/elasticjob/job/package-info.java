/**
 * The types that job authors use: the kinds of jobs, the context of an execution, listeners, error handlers and
 * sharding strategies. The events that the engine reports are in {@code job.event}.
 *
 * <p>This package depends on no other package of the project. The documentation of each type states on which thread it
 * is called.
 */
@NullMarked
package dev.elasticjob.job;

import org.jspecify.annotations.NullMarked;
