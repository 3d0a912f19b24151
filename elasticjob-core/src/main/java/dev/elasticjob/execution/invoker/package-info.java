/**
 * Runs one item according to the type of its job: a Java method, a stream, a process, an HTTP request. Start at {@link
 * dev.elasticjob.execution.invoker.JobInvoker}.
 */
@NullMarked
package dev.elasticjob.execution.invoker;

import org.jspecify.annotations.NullMarked;
