/** The same work done by us, by a peer and by hand, measured beside one another. */
@NullMarked
package dev.elasticjob.benchmarks;

import org.jspecify.annotations.NullMarked;
