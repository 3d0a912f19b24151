/**
 * The values that a job's nodes hold, with their codecs: the assignment, the records of items, waiting manual runs, and the
 * stored definition. Pure; safe for use by any thread.
 */
@NullMarked
package dev.elasticjob.coordination.state;

import org.jspecify.annotations.NullMarked;
