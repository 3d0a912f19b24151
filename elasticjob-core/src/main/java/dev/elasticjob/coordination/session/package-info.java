/**
 * How a process talks to the registry, until when it may act, what time it is there, and whether the registry still
 * has the data that this process knows. The door is {@link dev.elasticjob.coordination.session.SharedConnection},
 * which all jobs of a process use: it batches their requests, repeats a commit whose answer was lost, and measures the
 * session lease. All coordination runs in instances of {@link dev.elasticjob.coordination.session.ReconcileLoop}:
 * read, plan, commit.
 *
 * <p>{@link dev.elasticjob.coordination.session.Continuity} notices a registry that was emptied, replaced, or restored
 * from an older copy; {@code docs/internals/protocol.md} describes how.
 */
@NullMarked
package dev.elasticjob.coordination.session;

import org.jspecify.annotations.NullMarked;
