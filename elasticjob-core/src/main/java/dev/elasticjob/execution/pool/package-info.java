/**
 * The threads that run the jobs' code, and the order in which jobs get them: {@link
 * dev.elasticjob.execution.pool.FairPool}.
 */
@NullMarked
package dev.elasticjob.execution.pool;

import org.jspecify.annotations.NullMarked;
