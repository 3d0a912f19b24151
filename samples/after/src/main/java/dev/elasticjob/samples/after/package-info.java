/** Jobs that run after other jobs: an import, a fan-out of two, and a report that joins them. */
@NullMarked
package dev.elasticjob.samples.after;

import org.jspecify.annotations.NullMarked;
