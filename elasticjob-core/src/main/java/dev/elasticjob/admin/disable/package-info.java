/** Commands that take items and servers out of a job, and put them back. Thread-safe. */
@NullMarked
package dev.elasticjob.admin.disable;

import org.jspecify.annotations.NullMarked;
