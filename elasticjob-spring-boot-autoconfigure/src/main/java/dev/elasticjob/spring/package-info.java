/**
 * What an application imports to declare a job: {@link dev.elasticjob.spring.ElasticJob}, and nothing else. The packages
 * below hold the wiring, which nobody needs to import.
 *
 * <p>Imports Spring's stereotype only. The annotation is read once, on the thread that starts the application.
 */
@NullMarked
package dev.elasticjob.spring;

import org.jspecify.annotations.NullMarked;
