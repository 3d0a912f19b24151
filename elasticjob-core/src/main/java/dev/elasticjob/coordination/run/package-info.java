/**
 * Runs beside the schedule. The door is {@link dev.elasticjob.coordination.run.ManualRuns}, which requests them, and
 * {@link dev.elasticjob.coordination.run.RunEnds} determines their outcome. Four sources ask there: operators' tools
 * ({@link dev.elasticjob.coordination.run.OperatorTriggers}), the start of an application
 * ({@link dev.elasticjob.coordination.run.RunAtStart}), jobs that run after others
 * ({@link dev.elasticjob.coordination.run.FollowerLeader}), and past scheduled times that run once more, one after the
 * other ({@link dev.elasticjob.coordination.run.BackfillLeader}; {@code docs/internals/protocol-backfill.md}).
 */
@NullMarked
package dev.elasticjob.coordination.run;

import org.jspecify.annotations.NullMarked;
