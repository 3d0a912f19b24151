/**
 * The composition root. Start at {@link dev.elasticjob.engine.ElasticJobEngine}; {@code JobRuntime} is the map of how
 * one job's parts are connected. {@code JobTrigger} sets one timer for the next due time, and {@code JobLifecycle} has
 * the state of a job. This package may import all others, and no package of the core imports it.
 */
@NullMarked
package dev.elasticjob.engine;

import org.jspecify.annotations.NullMarked;
