/** A dataflow job that streams rows from a relational database. */
@NullMarked
package dev.elasticjob.samples.dataflow;

import org.jspecify.annotations.NullMarked;
