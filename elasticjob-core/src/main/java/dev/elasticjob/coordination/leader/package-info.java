/**
 * What the leader of a job does: it shares out the items, and repairs what deviates from the plan. The door is {@link
 * dev.elasticjob.coordination.leader.JobLeader}; {@link dev.elasticjob.coordination.leader.ShardingPlanner} and {@link
 * dev.elasticjob.coordination.leader.ReconcilePlanner} decide. Never imports {@code claim}.
 */
@NullMarked
package dev.elasticjob.coordination.leader;

import org.jspecify.annotations.NullMarked;
