/** Our jobs in a Spring Boot application with everything that observes them. */
@NullMarked
package dev.elasticjob.benchmarks.observability;

import org.jspecify.annotations.NullMarked;
