/**
 * What operators keep from starting: pauses of a job and of the namespace, and instances that they have drained. Values
 * and their nodes; {@code docs/internals/protocol.md} describes both.
 */
@NullMarked
package dev.elasticjob.coordination.pause;

import org.jspecify.annotations.NullMarked;
