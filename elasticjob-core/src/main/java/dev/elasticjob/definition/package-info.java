/**
 * What a job is: its settings as one value that checks itself, its schedule ({@code definition.schedule}), and
 * the JSON in which it is stored ({@code definition.codec}).
 *
 * <p>The door is {@link dev.elasticjob.definition.JobDefinition}. Everything here is an immutable value or a pure
 * function, safe for use by any thread. May import {@code time} and {@code job}.
 */
@NullMarked
package dev.elasticjob.definition;

import org.jspecify.annotations.NullMarked;
