/**
 * Claims the items of one job on this instance, and writes their results. Start at {@link
 * dev.elasticjob.coordination.claim.ItemClaims}; {@link dev.elasticjob.coordination.claim.ItemPlanner} makes the
 * decisions. Never imports {@code leader}.
 */
@NullMarked
package dev.elasticjob.coordination.claim;

import org.jspecify.annotations.NullMarked;
