/**
 * Runs the jobs' code. {@link dev.elasticjob.execution.ItemRunner} takes claimed items and returns their results,
 * without using the registry or cron. {@code execution.pool} has the threads, {@code execution.invoker} the code for
 * each type of job.
 */
@NullMarked
package dev.elasticjob.execution;

import org.jspecify.annotations.NullMarked;
