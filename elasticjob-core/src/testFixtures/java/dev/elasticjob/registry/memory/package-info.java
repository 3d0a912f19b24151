/**
 * The registry in memory, under the same contract as the one on ZooKeeper, for tests and the simulation. Published in
 * the jar of the test fixtures, not in the core's. {@link dev.elasticjob.registry.memory.InMemoryEnsemble} is the tree
 * that several clients share, and {@link dev.elasticjob.registry.memory.InMemoryRegistry} one client with its session.
 *
 * <p>Has no threads. Each request that reaches the ensemble, and each message that reaches a client, is one task of the
 * client's executor. An executor that chooses the order of its tasks controls every interleaving. Imports {@code
 * registry}.
 */
@NullMarked
package dev.elasticjob.registry.memory;

import org.jspecify.annotations.NullMarked;
