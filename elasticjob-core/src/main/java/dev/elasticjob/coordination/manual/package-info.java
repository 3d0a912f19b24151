/**
 * Runs on request. {@link dev.elasticjob.coordination.manual.ManualRuns} requests a run, and {@link
 * dev.elasticjob.coordination.manual.RunEnds} determines its outcome.
 */
@NullMarked
package dev.elasticjob.coordination.manual;

import org.jspecify.annotations.NullMarked;
