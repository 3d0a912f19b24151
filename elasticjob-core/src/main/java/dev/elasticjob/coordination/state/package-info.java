/**
 * The values that nodes hold, with their stored forms: the assignment, the records of items, runs and firings that
 * wait, what operators ask of executions, and the stored definition. The door is
 * {@link dev.elasticjob.coordination.state.NodeCodec}, which reads and writes them. Pure and thread-safe; imports no
 * other room.
 */
@NullMarked
package dev.elasticjob.coordination.state;

import org.jspecify.annotations.NullMarked;
