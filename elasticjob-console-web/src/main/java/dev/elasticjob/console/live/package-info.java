/** Answers that many viewers share, and those that wait for a change. Thread-safe; nothing here blocks. */
@NullMarked
package dev.elasticjob.console.live;

import org.jspecify.annotations.NullMarked;
