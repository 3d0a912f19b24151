/**
 * Coordinates through the registry which instance runs which item, as described in {@code docs/internals/protocol.md}.
 * <b>{@code claim} and {@code leader} never import each other, nor this package: they meet in ownership only.</b> The
 * leader writes who owns which item; owners read it, and claim.
 *
 * <p>The door is {@link dev.elasticjob.coordination.JobCoordination}: one job on this instance, with its membership,
 * leadership and assignment. Applications may inject {@link dev.elasticjob.coordination.LeaderElection}, {@link
 * dev.elasticjob.coordination.ReshardingFlags} and {@link dev.elasticjob.coordination.FailoverLatch}.
 *
 * <p>The packages are rooms, of which {@code docs/internals/architecture.md} says what lives where; {@code
 * ArchitectureRules} has their order. All mutable state is confined to the engine's coordination executor, which runs one
 * task at a time. Planners and transactions are pure.
 */
@NullMarked
package dev.elasticjob.coordination;

import org.jspecify.annotations.NullMarked;
