/**
 * What is written of one item: its claim, its end, its loss, and the lock that keeps a process from running it twice
 * at the same time. The door is {@link dev.elasticjob.coordination.item.ItemTransactions}, which turns an
 * {@link dev.elasticjob.coordination.item.ItemChange} into a transaction;
 * {@link dev.elasticjob.coordination.item.CompletionWriter} records the ends of claimed items, and
 * {@link dev.elasticjob.coordination.item.OrphanRecorder} those whose instance is gone.
 */
@NullMarked
package dev.elasticjob.coordination.item;

import org.jspecify.annotations.NullMarked;
