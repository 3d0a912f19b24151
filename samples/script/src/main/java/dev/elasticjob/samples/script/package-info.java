/** A job that is a script. */
@NullMarked
package dev.elasticjob.samples.script;

import org.jspecify.annotations.NullMarked;
