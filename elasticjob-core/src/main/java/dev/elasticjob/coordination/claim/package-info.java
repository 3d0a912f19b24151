/**
 * The items of one job on this instance: which are due, what is claimed, what is executed. The door is {@link
 * dev.elasticjob.coordination.claim.ItemClaims}; {@link dev.elasticjob.coordination.claim.ItemPlanner} decides. Never imports {@code leader}.
 */
@NullMarked
package dev.elasticjob.coordination.claim;

import org.jspecify.annotations.NullMarked;
