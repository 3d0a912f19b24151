/**
 * How an instance joins a job and leaves it: the nodes it makes, the definition it agrees on, and the instances of other
 * software that keep it away. The doors are {@link dev.elasticjob.coordination.membership.InstanceRegistration} and {@link
 * dev.elasticjob.coordination.membership.Deregistration}.
 */
@NullMarked
package dev.elasticjob.coordination.membership;

import org.jspecify.annotations.NullMarked;
