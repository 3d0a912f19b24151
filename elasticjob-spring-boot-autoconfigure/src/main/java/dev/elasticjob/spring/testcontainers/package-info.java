/**
 * ZooKeeper of Testcontainers. Needs {@code spring-boot-testcontainers}, which only tests and development have.
 */
@NullMarked
package dev.elasticjob.spring.testcontainers;

import org.jspecify.annotations.NullMarked;
