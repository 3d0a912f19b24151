/**
 * Who takes part in a job, who leads it, and who is a stranger: the instance's nodes, the job's definition, and
 * instances of other software. The doors are {@link dev.elasticjob.coordination.membership.InstanceRegistration} and
 * {@link dev.elasticjob.coordination.membership.Deregistration}; groups and jobs share
 * {@link dev.elasticjob.coordination.membership.Membership}.
 */
@NullMarked
package dev.elasticjob.coordination.membership;

import org.jspecify.annotations.NullMarked;
