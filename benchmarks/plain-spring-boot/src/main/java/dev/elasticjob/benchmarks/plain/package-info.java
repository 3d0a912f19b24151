/** A Spring Boot application without jobs. */
@NullMarked
package dev.elasticjob.benchmarks.plain;

import org.jspecify.annotations.NullMarked;
