/** What the event trace has recorded of the jobs of a registry, as far as the console shows it. */
@NullMarked
package dev.elasticjob.console.history;

import org.jspecify.annotations.NullMarked;
