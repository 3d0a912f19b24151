/**
 * Queries and commands for people on call. The doors are {@link dev.elasticjob.admin.JobInspector} (answers as plain
 * records) and {@link dev.elasticjob.admin.JobAdmin} (commands as writes to the tree); endpoint and console are thin
 * shells over them.
 *
 * <p>Imports coordination's views and manual runs, but neither execution nor the engine. Thread-safe; nothing here
 * blocks.
 */
@NullMarked
package dev.elasticjob.admin;

import org.jspecify.annotations.NullMarked;
