/** An application whose workers come with the work, and leave when it is done. */
@NullMarked
package dev.elasticjob.samples.elastic;

import org.jspecify.annotations.NullMarked;
