/**
 * The schedule of a job: cron expressions in a zone, a fixed rate, one time, or none; with bounds, if it has any. The door
 * is {@link dev.elasticjob.definition.schedule.Schedule}. Pure and thread-safe.
 */
@NullMarked
package dev.elasticjob.definition.schedule;

import org.jspecify.annotations.NullMarked;
