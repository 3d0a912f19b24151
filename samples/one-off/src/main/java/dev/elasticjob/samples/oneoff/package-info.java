/** A job that runs on request, with a parameter, and a client that waits for its outcome. */
@NullMarked
package dev.elasticjob.samples.oneoff;

import org.jspecify.annotations.NullMarked;
