/**
 * The composition root: the door is {@link dev.elasticjob.engine.ElasticJobEngine}, and {@code JobRuntime} is the map
 * of how one job's parts are joined. Sees all packages, imported by none in the core.
 */
@NullMarked
package dev.elasticjob.engine;

import org.jspecify.annotations.NullMarked;
