/**
 * ZooKeeper as we see it. Purpose: one port, {@link dev.elasticjob.registry.Registry}, through which everything is
 * read, written and watched, and one file, {@link dev.elasticjob.registry.JobTree}, which names every node.
 *
 * <p>Every call answers with a {@link java.util.concurrent.CompletionStage}; none of our threads waits for one. Two
 * adapters obey one contract: {@code registry.curator} (ZooKeeper) and, in the test fixtures, {@code registry.memory}
 * (tests, simulation). May import {@code time}, {@code job} and {@code definition}; imports none of them.
 */
@NullMarked
package dev.elasticjob.registry;

import org.jspecify.annotations.NullMarked;
