/**
 * A ZooKeeper server inside the application, for development: {@link dev.elasticjob.spring.embedded.EmbeddedZooKeeper}.
 *
 * <p>The server has its own threads, which end with it. Imports ZooKeeper, and no other package of the project;
 * imported by {@code autoconfigure}.
 */
@NullMarked
package dev.elasticjob.spring.embedded;

import org.jspecify.annotations.NullMarked;
