/** Who would own which items of a job if it were resharded under other conditions. Asks the planners; has no rules of its own. */
@NullMarked
package dev.elasticjob.admin.preview;

import org.jspecify.annotations.NullMarked;
