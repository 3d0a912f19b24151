/**
 * The threads that run user code, and which job gets the next one: {@link dev.elasticjob.execution.pool.FairPool}.
 */
@NullMarked
package dev.elasticjob.execution.pool;

import org.jspecify.annotations.NullMarked;
