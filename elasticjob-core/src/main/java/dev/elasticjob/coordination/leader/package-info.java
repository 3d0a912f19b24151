/**
 * The leader of a job assigns the items, and repairs deviations from the plan. The door is
 * {@link dev.elasticjob.coordination.leader.JobLeader}; {@link dev.elasticjob.coordination.leader.ShardingPlanner} and
 * {@link dev.elasticjob.coordination.leader.ReconcilePlanner} make the decisions. Never imports {@code claim}.
 */
@NullMarked
package dev.elasticjob.coordination.leader;

import org.jspecify.annotations.NullMarked;
