/**
 * A ZooKeeper server inside the application, for development. The door is
 * {@link dev.elasticjob.spring.embedded.EmbeddedZooKeeper}.
 *
 * <p>The server has threads of its own, which end with it. Imports ZooKeeper, nothing of ours; imported by
 * {@code autoconfigure}.
 */
@NullMarked
package dev.elasticjob.spring.embedded;

import org.jspecify.annotations.NullMarked;
