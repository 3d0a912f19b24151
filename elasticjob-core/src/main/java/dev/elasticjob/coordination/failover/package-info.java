/**
 * What becomes of an execution whose instance is gone: it is recorded as an orphan, taken over, or abandoned with an event.
 * The door is {@link dev.elasticjob.coordination.failover.FailoverCoordinator}, which decides when an instance looks for
 * interrupted items; {@code claim} takes them as it claims any other.
 */
@NullMarked
package dev.elasticjob.coordination.failover;

import org.jspecify.annotations.NullMarked;
