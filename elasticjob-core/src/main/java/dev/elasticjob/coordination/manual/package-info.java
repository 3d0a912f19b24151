/**
 * Runs that somebody asks for. The door is {@link dev.elasticjob.coordination.manual.ManualRuns}, which asks for one;
 * {@link dev.elasticjob.coordination.manual.RunEnds} finds out how it has ended.
 */
@NullMarked
package dev.elasticjob.coordination.manual;

import org.jspecify.annotations.NullMarked;
