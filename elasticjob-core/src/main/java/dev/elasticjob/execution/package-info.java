/**
 * Runs the user's code: on which thread, with which context, and what became of it. The door is {@link
 * dev.elasticjob.execution.ItemRunner}. Knows neither the registry nor cron: it gets claimed items and gives back
 * their ends. {@code execution.pool} has the threads, {@code execution.invoker} what they run.
 *
 * <p>Each type says which thread it belongs to. Never imports {@code registry}.
 */
@NullMarked
package dev.elasticjob.execution;

import org.jspecify.annotations.NullMarked;
