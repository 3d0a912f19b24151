/**
 * What the nodes of a job hold, each as a value with its codec: the assignment, the records of items, manual runs that
 * wait, the stored definition. Pure; safe for use by any thread.
 */
@NullMarked
package dev.elasticjob.coordination.state;

import org.jspecify.annotations.NullMarked;
