/**
 * Handles executions whose instance is gone: records them as orphans, and has them taken over or abandoned. Start at
 * {@link dev.elasticjob.coordination.failover.FailoverCoordinator}, which decides when an instance looks for
 * interrupted items. {@code claim} takes them over in the same way as it claims other items.
 */
@NullMarked
package dev.elasticjob.coordination.failover;

import org.jspecify.annotations.NullMarked;
