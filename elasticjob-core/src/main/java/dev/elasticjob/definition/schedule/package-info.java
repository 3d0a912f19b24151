/** The schedule of a job: a cron expression in a zone, or none. Pure and thread-safe. */
@NullMarked
package dev.elasticjob.definition.schedule;

import org.jspecify.annotations.NullMarked;
