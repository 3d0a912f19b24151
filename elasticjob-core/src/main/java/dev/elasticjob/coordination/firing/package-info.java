/** Firings as the cluster sees them, as values: which are open, and how items have ended them. */
@NullMarked
package dev.elasticjob.coordination.firing;

import org.jspecify.annotations.NullMarked;
