/**
 * The definition of a job: its settings as one value that validates itself, its schedule ({@code definition.schedule}),
 * and its stored JSON ({@code definition.codec}).
 *
 * <p>Start at {@link dev.elasticjob.definition.JobDefinition} and {@link dev.elasticjob.definition.JobSettings}. All
 * types are immutable values or pure functions, and thread-safe. May import {@code time} and {@code job}.
 */
@NullMarked
package dev.elasticjob.definition;

import org.jspecify.annotations.NullMarked;
