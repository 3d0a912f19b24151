/**
 * How claimed items end in the registry. The door is {@link dev.elasticjob.coordination.completion.CompletionWriter};
 * {@link dev.elasticjob.coordination.completion.LocalItemLocks} keeps one process from executing an item twice.
 */
@NullMarked
package dev.elasticjob.coordination.completion;

import org.jspecify.annotations.NullMarked;
