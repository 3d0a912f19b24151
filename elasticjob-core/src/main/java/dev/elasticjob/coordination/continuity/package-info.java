/**
 * Whether the registry still has the data that this process knows: it may have been emptied, replaced, or restored from an
 * older copy. {@code docs/internals/protocol.md} describes how this is noticed.
 */
@NullMarked
package dev.elasticjob.coordination.continuity;

import org.jspecify.annotations.NullMarked;
