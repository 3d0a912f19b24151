/** What a command would do to a job, said before it is carried out. Pure. */
@NullMarked
package dev.elasticjob.console.effect;

import org.jspecify.annotations.NullMarked;
