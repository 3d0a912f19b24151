/**
 * Waiting and monotonic time as parameters. Only {@link dev.elasticjob.time.TaskTimer} waits; the present time is a
 * {@link java.time.Clock}. A test advances both by hand, with {@code ManualTime} of the test fixtures.
 *
 * <p>Imports no other package of the project. All types are thread-safe.
 */
@NullMarked
package dev.elasticjob.time;

import org.jspecify.annotations.NullMarked;
