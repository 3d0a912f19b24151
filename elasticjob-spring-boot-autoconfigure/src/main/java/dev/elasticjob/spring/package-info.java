/**
 * The annotation that declares a job: {@link dev.elasticjob.spring.ElasticJob}. The packages below contain the wiring;
 * applications don't need to import them.
 *
 * <p>Imports only Spring's stereotype. The annotation is read once, on the thread that starts the application.
 */
@NullMarked
package dev.elasticjob.spring;

import org.jspecify.annotations.NullMarked;
