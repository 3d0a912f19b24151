/** A job that fails now and then, with metrics, traces, a history and alerts. */
@NullMarked
package dev.elasticjob.samples.observability;

import org.jspecify.annotations.NullMarked;
