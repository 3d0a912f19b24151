/**
 * The test kit: runs an application's jobs, or plain ones, on several instances in one JVM, with time that a test
 * advances. Start at {@link dev.elasticjob.spring.test.ElasticJobTest} for Spring tests, {@link
 * dev.elasticjob.spring.test.ElasticJobCluster} for tests without Spring, and {@link dev.elasticjob.spring.test.Jobs},
 * which fires jobs. AssertJ's {@code assertThat} accepts clusters and firings.
 *
 * <p>One thread coordinates all instances. Items run on their own threads. Only the test's thread waits, always with an
 * upper bound. Imports the public types of the core, the registries, and autoconfigure.
 */
@NullMarked
package dev.elasticjob.spring.test;

import org.jspecify.annotations.NullMarked;
