/**
 * Time that a test advances: {@link dev.elasticjob.time.manual.ManualTime} is the clock and the timer. Published in the
 * jar of the test fixtures, not in the core's. Imports {@code time}.
 */
@NullMarked
package dev.elasticjob.time.manual;

import org.jspecify.annotations.NullMarked;
