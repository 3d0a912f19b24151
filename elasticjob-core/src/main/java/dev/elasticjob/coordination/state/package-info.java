/**
 * The values stored in a job's nodes, with their codecs: the assignment, the records of items, waiting manual runs, and
 * the stored definition. Pure and thread-safe.
 */
@NullMarked
package dev.elasticjob.coordination.state;

import org.jspecify.annotations.NullMarked;
