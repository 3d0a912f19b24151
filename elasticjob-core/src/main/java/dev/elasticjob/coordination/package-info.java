/**
 * Which instance runs which item: the instances of a job agree through the registry, as {@code
 * docs/internals/protocol.md} describes. <b>{@code claim} and {@code leader} never import each other, nor this package:
 * they meet in ownership only.</b> The leader writes who owns which item; owners read it, and claim.
 *
 * <p>The door is {@link dev.elasticjob.coordination.JobCoordination}: one job on this instance, with its membership,
 * leadership and assignment. What applications may inject are {@link dev.elasticjob.coordination.LeaderElection}, {@link
 * dev.elasticjob.coordination.ReshardingFlags} and {@link dev.elasticjob.coordination.FailoverLatch}.
 *
 * <p>The rooms, each of which imports only rooms to its left: {@code session}, {@code state} → {@code view} → {@code
 * manual}, {@code membership} → {@code failover} → {@code completion}, {@code leader} → {@code claim}. Everything with
 * state is confined to the engine's coordination executor, which runs one task at a time; planners and transactions are
 * pure.
 */
@NullMarked
package dev.elasticjob.coordination;

import org.jspecify.annotations.NullMarked;
