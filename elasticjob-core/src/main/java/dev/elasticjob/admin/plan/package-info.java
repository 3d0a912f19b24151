/** Commands wait here until the instances of a job follow them. Thread-safe; nothing here writes or blocks. */
@NullMarked
package dev.elasticjob.admin.plan;

import org.jspecify.annotations.NullMarked;
