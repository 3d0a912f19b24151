/**
 * The threads that run user code, and who gets the next one. The door is {@link
 * dev.elasticjob.execution.pool.Bulkhead}: a job's bound, and its way to the shared pool or to its own executor.
 */
@NullMarked
package dev.elasticjob.execution.pool;

import org.jspecify.annotations.NullMarked;
