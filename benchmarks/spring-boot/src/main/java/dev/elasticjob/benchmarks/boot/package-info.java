/** Our jobs in a Spring Boot application. */
@NullMarked
package dev.elasticjob.benchmarks.boot;

import org.jspecify.annotations.NullMarked;
