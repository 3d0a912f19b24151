/**
 * The connection to the registry as the jobs of a process share it. The door is {@link
 * dev.elasticjob.coordination.session.SharedConnection}: it batches the requests of all jobs, repeats a commit whose answer
 * was lost, and measures how long the session lease holds. {@link dev.elasticjob.coordination.session.ReconcileLoop} is the
 * loop in which everything that coordinates reads, plans and commits.
 */
@NullMarked
package dev.elasticjob.coordination.session;

import org.jspecify.annotations.NullMarked;
