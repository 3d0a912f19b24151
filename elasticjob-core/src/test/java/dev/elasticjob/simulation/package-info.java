/**
 * The whole core, unchanged, in a world of one thread: a registry with ZooKeeper's semantics, virtual time, and a seed
 * that decides every interleaving and every fault. {@link dev.elasticjob.simulation.World} is the world,
 * {@link dev.elasticjob.simulation.Oracle} knows what was promised, and
 * {@link dev.elasticjob.simulation.SimulationTest} brings both together for many seeds.
 */
@NullMarked
package dev.elasticjob.simulation;

import org.jspecify.annotations.NullMarked;
