/**
 * Claims the items of one job on this instance, and has their results written. The door is
 * {@link dev.elasticjob.coordination.claim.ItemClaims}; {@link dev.elasticjob.coordination.claim.ItemPlanner} makes
 * the decisions. {@link dev.elasticjob.coordination.claim.FailoverCoordinator} decides when an instance looks for
 * interrupted items, which are taken over in the same way as other items are claimed. Never imports {@code leader}.
 */
@NullMarked
package dev.elasticjob.coordination.claim;

import org.jspecify.annotations.NullMarked;
