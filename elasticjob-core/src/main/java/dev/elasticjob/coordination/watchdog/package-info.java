/**
 * Reports of items that execute for too long, and of firings that nobody begins. The door is
 * {@link dev.elasticjob.coordination.watchdog.Watchdog}; {@code docs/internals/protocol-watchdog.md} has the rules.
 */
@NullMarked
package dev.elasticjob.coordination.watchdog;

import org.jspecify.annotations.NullMarked;
