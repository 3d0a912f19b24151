/**
 * The smallest application with a job. Start it several times and see how the job's items are shared among the processes.
 *
 * <p>It imports only what a job needs: {@code dev.elasticjob.job} and the annotation.
 */
@NullMarked
package dev.elasticjob.samples.quickstart;

import org.jspecify.annotations.NullMarked;
