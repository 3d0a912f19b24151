/**
 * Runs the user's code. {@link dev.elasticjob.execution.ItemRunner} takes claimed items and returns their results; it uses
 * neither the registry nor cron. {@code execution.pool} has the threads, {@code execution.invoker} the code for each type
 * of job.
 */
@NullMarked
package dev.elasticjob.execution;

import org.jspecify.annotations.NullMarked;
