/**
 * How an instance joins a job and leaves it: its nodes, the job's definition, and instances of other software. The doors
 * are {@link dev.elasticjob.coordination.membership.InstanceRegistration} and {@link
 * dev.elasticjob.coordination.membership.Deregistration}.
 */
@NullMarked
package dev.elasticjob.coordination.membership;

import org.jspecify.annotations.NullMarked;
