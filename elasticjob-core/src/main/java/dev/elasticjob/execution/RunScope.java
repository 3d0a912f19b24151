package dev.elasticjob.execution;

import dev.elasticjob.coordination.session.SessionLease;
import dev.elasticjob.execution.invoker.JobInvoker;
import dev.elasticjob.execution.pool.FairPool;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.time.TaskTimer;
import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * What the executions of one job share.
 *
 * @param coordination the coordination executor, which runs one task after the other
 * @param events receives what happened; called on the coordination executor only
 */
public record RunScope(
        JobInvoker invoker,
        FairPool.Bulkhead bulkhead,
        JobErrors errors,
        SessionLease lease,
        Clock clock,
        TaskTimer timer,
        Executor coordination,
        Consumer<JobEvent> events) {
    void tell(JobEvent event) {
        coordination.execute(() -> events.accept(event));
    }
}
