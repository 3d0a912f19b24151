/** What the API answers, from the core's {@code admin}. Thread-safe; nothing here blocks. */
@NullMarked
package dev.elasticjob.console.api;

import org.jspecify.annotations.NullMarked;
