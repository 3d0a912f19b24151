/**
 * Who runs which item: the instances of a job agree through the registry, as {@code docs/protocol.md} describes.
 *
 * <p>The doors are {@link dev.elasticjob.coordination.JobCoordination} (one job on this instance: membership,
 * leadership, assignment) and {@link dev.elasticjob.coordination.ItemClaims} (its items: claim, complete). What
 * applications may inject are {@link dev.elasticjob.coordination.LeaderElection},
 * {@link dev.elasticjob.coordination.ReshardingFlags} and {@link dev.elasticjob.coordination.FailoverLatch}.
 *
 * <p>Everything with state is confined to the engine's coordination executor, which runs one task at a time; planners
 * and transactions are pure. May import {@code time}, {@code job}, {@code definition} and {@code registry}.
 */
@NullMarked
package dev.elasticjob.coordination;

import org.jspecify.annotations.NullMarked;
