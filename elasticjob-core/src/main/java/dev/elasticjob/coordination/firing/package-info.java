/**
 * What becomes of a firing in the whole cluster: the listeners that are called once for all its items, its end, and
 * what the end leaves for jobs that run after. The door is {@link dev.elasticjob.coordination.firing.FiringHooks};
 * {@code docs/internals/protocol-firings.md} has the rules.
 */
@NullMarked
package dev.elasticjob.coordination.firing;

import org.jspecify.annotations.NullMarked;
