/**
 * The wiring. {@link dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration} shows every bean; {@link
 * dev.elasticjob.spring.autoconfigure.JobBeanCollector} turns annotated beans and properties into definitions; and
 * {@link dev.elasticjob.spring.autoconfigure.EngineLifecycle} starts and stops the engine with the application.
 *
 * <p>Runs on the thread that starts or closes the application. Imports the core's {@code job}, {@code definition},
 * {@code registry}, {@code engine}, {@code admin} and the public ports of {@code coordination}, and {@code embedded} of
 * this module; imported by {@code actuate}.
 */
@NullMarked
package dev.elasticjob.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
