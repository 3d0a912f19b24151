/** What a job's author is told of a firing as a whole, over all instances. */
@NullMarked
package dev.elasticjob.job.cluster;

import org.jspecify.annotations.NullMarked;
