/**
 * When a job is due: a cron expression in a zone, or never. Pure; safe for use by any thread.
 */
@NullMarked
package dev.elasticjob.definition.schedule;

import org.jspecify.annotations.NullMarked;
