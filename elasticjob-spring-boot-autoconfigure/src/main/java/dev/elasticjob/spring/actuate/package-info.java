/**
 * Jobs on the Actuator. The door is {@link dev.elasticjob.spring.actuate.ElasticJobEndpoint}, a thin shell over
 * {@link dev.elasticjob.admin.JobInspector}.
 *
 * <p>Runs on the web server's threads, which wait for the registry's answer up to a limit. Imports {@code admin} and
 * {@code autoconfigure}; imported by nobody.
 */
@NullMarked
package dev.elasticjob.spring.actuate;

import org.jspecify.annotations.NullMarked;
