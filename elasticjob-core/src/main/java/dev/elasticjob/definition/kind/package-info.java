/** Kinds of jobs that applications bring. Start at {@link dev.elasticjob.definition.kind.JobKind}. */
@NullMarked
package dev.elasticjob.definition.kind;

import org.jspecify.annotations.NullMarked;
