/** The end of a firing, and what runs once for a whole firing. */
@NullMarked
package dev.elasticjob.coordination.hook;

import org.jspecify.annotations.NullMarked;
