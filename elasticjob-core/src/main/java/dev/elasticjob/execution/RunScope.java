package dev.elasticjob.execution;

import dev.elasticjob.coordination.session.SessionLease;
import dev.elasticjob.execution.invoker.JobInvoker;
import dev.elasticjob.execution.pool.FairPool;
import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.Failures;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.event.ExecutionObserver;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.time.TaskTimer;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Shared by all executions of one job.
 *
 * @param listeners the listeners of the job, in order
 * @param clusterListeners those that are called once per cluster, in order
 * @param observer surrounds the job's executions
 * @param workers gives each task a thread at once
 * @param first whether executions may still begin here
 * @param events receives events; called on the coordination executor only
 */
public record RunScope(
        JobInvoker invoker,
        FairPool.Bulkhead bulkhead,
        JobErrors errors,
        List<ElasticJobListener> listeners,
        List<ClusterJobListener> clusterListeners,
        ExecutionObserver observer,
        SessionLease lease,
        Clock clock,
        TaskTimer timer,
        Executor coordination,
        Executor workers,
        FirstExecutions first,
        Consumer<JobEvent> events) {
    public RunScope {
        listeners = List.copyOf(listeners);
        clusterListeners = List.copyOf(clusterListeners);
    }

    /** Passes a failure that belongs to no item to the job's error handler, on one of the job's threads. */
    public void report(String job, Throwable failure) {
        bulkhead.executeBeside(FairPool.Task.of(
                () -> errors.failed(job, failure),
                reason -> errors.log()
                        .error(
                                "Job \"%s\": no thread was available to call the error handler, so it does not receive \"%s\""
                                        .formatted(job, Failures.text(failure)),
                                reason)));
    }

    void tell(JobEvent event) {
        coordination.execute(() -> events.accept(event));
    }
}
