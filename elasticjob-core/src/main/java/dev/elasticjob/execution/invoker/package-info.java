/**
 * The work of one item by the kind of its job: a Java method, a stream, a process, an HTTP request. The door is {@link
 * dev.elasticjob.execution.invoker.JobInvoker}.
 */
@NullMarked
package dev.elasticjob.execution.invoker;

import org.jspecify.annotations.NullMarked;
