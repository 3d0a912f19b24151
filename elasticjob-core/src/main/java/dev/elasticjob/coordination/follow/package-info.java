/**
 * Jobs that run after others: how a job registers as a follower, what the end of a firing leaves for it, and how its
 * leader asks for its runs. {@link dev.elasticjob.coordination.follow.FollowerLeader} is where to start.
 */
@NullMarked
package dev.elasticjob.coordination.follow;

import org.jspecify.annotations.NullMarked;
