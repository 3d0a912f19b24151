/** Methods of a service as jobs: a fixed delay, no overlap, and catching up. */
@NullMarked
package dev.elasticjob.samples.policies;

import org.jspecify.annotations.NullMarked;
