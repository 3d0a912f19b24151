/**
 * How far executions have come, as the job's code says it. The door is
 * {@link dev.elasticjob.coordination.progress.ProgressReports}; {@link dev.elasticjob.coordination.progress.ReportedProgress}
 * reads what it writes. It is for people: no decision reads it. {@code docs/internals/protocol.md} has the rules.
 */
@NullMarked
package dev.elasticjob.coordination.progress;

import org.jspecify.annotations.NullMarked;
