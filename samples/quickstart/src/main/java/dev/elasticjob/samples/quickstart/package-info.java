/**
 * The smallest application with a job. Start it several times and see the job's items divided among the processes.
 *
 * <p>Imports what a job author imports: {@code dev.elasticjob.job} and the annotation.
 */
@NullMarked
package dev.elasticjob.samples.quickstart;

import org.jspecify.annotations.NullMarked;
