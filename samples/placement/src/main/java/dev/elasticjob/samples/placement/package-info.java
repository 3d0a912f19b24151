/** Jobs that choose their instances by labels. */
@NullMarked
package dev.elasticjob.samples.placement;

import org.jspecify.annotations.NullMarked;
