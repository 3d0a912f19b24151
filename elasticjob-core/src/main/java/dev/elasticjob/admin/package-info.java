/**
 * Questions and commands of people on call. The doors are {@link dev.elasticjob.admin.JobInspector} (answers as plain
 * records) and {@link dev.elasticjob.admin.JobAdmin} (commands as writes to the tree); endpoint and console are thin
 * shells over them.
 *
 * <p>May see everything up to {@code coordination}; never scheduling, execution or the engine. Safe for use by any
 * thread; nothing here blocks.
 */
@NullMarked
package dev.elasticjob.admin;

import org.jspecify.annotations.NullMarked;
