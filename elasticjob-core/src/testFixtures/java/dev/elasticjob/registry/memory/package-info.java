/**
 * The registry in memory, under the same contract as the one on ZooKeeper, for tests and the simulation. It is published
 * in the jar of the test fixtures, not in the core's. The doors are {@link dev.elasticjob.registry.memory.InMemoryEnsemble}, the tree that several
 * clients share, and {@link dev.elasticjob.registry.memory.InMemoryRegistry}, one client with its session.
 *
 * <p>Threads: none of its own. Each request that reaches the ensemble and each message that reaches a client is one
 * task of the client's executor; an executor that chooses the order of its tasks owns every interleaving. Imports
 * {@code registry}.
 */
@NullMarked
package dev.elasticjob.registry.memory;

import org.jspecify.annotations.NullMarked;
