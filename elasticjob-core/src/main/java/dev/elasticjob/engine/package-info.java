/**
 * The composition root: the door is {@link dev.elasticjob.engine.ElasticJobEngine}, and {@code JobRuntime} is the map
 * of how one job's parts are joined. {@code JobTrigger} arms one timer for the next due time,
 * and {@code JobLifecycle} owns the state of a job. Sees all packages, imported by none in the core.
 */
@NullMarked
package dev.elasticjob.engine;

import org.jspecify.annotations.NullMarked;
