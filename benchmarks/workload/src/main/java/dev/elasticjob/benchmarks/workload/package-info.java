/** What every contender is asked to do, and how it tells what it did. */
@NullMarked
package dev.elasticjob.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
