/**
 * The registry connection that all jobs of a process share. Start at {@link
 * dev.elasticjob.coordination.session.SharedConnection}: it batches the requests of all jobs, repeats a commit whose
 * answer was lost, and measures the session lease. All coordination runs in instances of {@link
 * dev.elasticjob.coordination.session.ReconcileLoop}: read, plan, commit.
 */
@NullMarked
package dev.elasticjob.coordination.session;

import org.jspecify.annotations.NullMarked;
