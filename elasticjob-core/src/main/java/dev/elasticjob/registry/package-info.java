/**
 * The port to ZooKeeper: {@link dev.elasticjob.registry.Registry}, through which everything is read, written and
 * watched, and {@link dev.elasticjob.registry.JobTree}, which names every node.
 *
 * <p>Every call returns a {@link java.util.concurrent.CompletionStage}, and no thread of this library waits for one.
 * Two adapters fulfil one contract: {@code registry.curator} (ZooKeeper) and, in the test fixtures, {@code
 * registry.memory} (tests, simulation). May import {@code time}, {@code job} and {@code definition}; imports none of
 * the adapters.
 */
@NullMarked
package dev.elasticjob.registry;

import org.jspecify.annotations.NullMarked;
