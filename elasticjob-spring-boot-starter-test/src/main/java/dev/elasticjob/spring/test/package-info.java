/**
 * The test kit: an application's jobs, or plain ones, on several instances in one JVM, with time that a test advances.
 * The doors are {@link dev.elasticjob.spring.test.ElasticJobTest} for Spring tests,
 * {@link dev.elasticjob.spring.test.ElasticJobCluster} for tests without Spring, and
 * {@link dev.elasticjob.spring.test.Jobs}, which fires jobs. AssertJ's {@code assertThat} takes clusters and firings.
 *
 * <p>One thread coordinates all instances; items run on threads of their own; only the test's thread waits, always with
 * an upper bound. Imports what users see of the core, the registries, and autoconfigure.
 */
@NullMarked
package dev.elasticjob.spring.test;

import org.jspecify.annotations.NullMarked;
