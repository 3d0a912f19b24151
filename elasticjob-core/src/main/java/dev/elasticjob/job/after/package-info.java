/**
 * What a job that runs after other jobs has to do with them. Values; safe for use by any thread.
 *
 * <p>This package depends on no other package of the project.
 */
@NullMarked
package dev.elasticjob.job.after;

import org.jspecify.annotations.NullMarked;
