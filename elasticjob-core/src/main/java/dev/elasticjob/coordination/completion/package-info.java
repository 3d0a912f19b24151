/**
 * Records the ends of claimed items in the registry. Start at {@link
 * dev.elasticjob.coordination.completion.CompletionWriter}; {@link
 * dev.elasticjob.coordination.completion.LocalItemLocks} keeps a process from running an item twice at the same time.
 */
@NullMarked
package dev.elasticjob.coordination.completion;

import org.jspecify.annotations.NullMarked;
