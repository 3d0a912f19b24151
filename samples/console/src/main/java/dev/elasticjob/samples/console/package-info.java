/** Jobs in interesting states, to look at in the console. */
@NullMarked
package dev.elasticjob.samples.console;

import org.jspecify.annotations.NullMarked;
