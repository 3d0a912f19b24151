/**
 * The event trace: what happened to each execution, in two tables of a relational database that have Elastic-Job's
 * columns and some more. Switched on with {@code elasticjob.tracing.enabled}. The door is {@link
 * dev.elasticjob.spring.trace.JobTraceAutoConfiguration}; what is written is read through {@link
 * dev.elasticjob.spring.history.JobHistory}.
 *
 * <p>Events arrive on the coordination executor, which only puts them into a bounded queue. One thread of the trace takes
 * them from there and writes them in batches. Imports {@code autoconfigure} and {@code history}; imported by nobody.
 */
@NullMarked
package dev.elasticjob.spring.trace;

import org.jspecify.annotations.NullMarked;
