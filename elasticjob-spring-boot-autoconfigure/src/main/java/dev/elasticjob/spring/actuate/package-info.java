/**
 * The Actuator endpoint. Start at {@link dev.elasticjob.spring.actuate.ElasticJobEndpoint}, a thin layer over {@link
 * dev.elasticjob.admin.JobInspector}.
 *
 * <p>Runs on the web server's threads, which wait for the registry's answer up to a limit. Imports {@code admin} and
 * {@code autoconfigure}.
 */
@NullMarked
package dev.elasticjob.spring.actuate;

import org.jspecify.annotations.NullMarked;
