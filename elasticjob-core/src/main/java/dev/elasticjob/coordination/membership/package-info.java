/**
 * Joining and leaving a job: the instance's nodes, the job's definition, and instances of other software. Start at
 * {@link dev.elasticjob.coordination.membership.InstanceRegistration} and {@link
 * dev.elasticjob.coordination.membership.Deregistration}.
 */
@NullMarked
package dev.elasticjob.coordination.membership;

import org.jspecify.annotations.NullMarked;
