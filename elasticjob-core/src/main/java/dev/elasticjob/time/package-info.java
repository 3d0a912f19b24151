/**
 * Waiting and monotonic time, handed in. {@link dev.elasticjob.time.TaskTimer} is the only thing in the project that
 * waits; "now" is a {@link java.time.Clock}. A test advances both by hand, with
 * {@code ManualTime} of the test fixtures.
 *
 * <p>Imports nothing of ours. Its types are safe for use by any thread.
 */
@NullMarked
package dev.elasticjob.time;

import org.jspecify.annotations.NullMarked;
