/**
 * What a job author imports, and nothing else: the kinds of job, the context an execution gets, the strategies, and
 * the events the engine tells.
 *
 * <p>Imports nothing of ours. Each type says on which thread it is called.
 */
@NullMarked
package dev.elasticjob.job;

import org.jspecify.annotations.NullMarked;
