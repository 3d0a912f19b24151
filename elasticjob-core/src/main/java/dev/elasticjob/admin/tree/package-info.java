/** Reads many jobs of the namespace together, and prints a job's tree. Thread-safe; nothing here writes or blocks. */
@NullMarked
package dev.elasticjob.admin.tree;

import org.jspecify.annotations.NullMarked;
