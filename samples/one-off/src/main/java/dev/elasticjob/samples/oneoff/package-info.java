/** A job that runs when somebody asks for it, with a parameter, and who waits for its outcome. */
@NullMarked
package dev.elasticjob.samples.oneoff;

import org.jspecify.annotations.NullMarked;
