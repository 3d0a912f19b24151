package dev.elasticjob.engine;

import dev.elasticjob.coordination.item.InstanceCapacity;
import dev.elasticjob.coordination.leader.ShardingStrategies;
import dev.elasticjob.coordination.membership.InstanceIdentity;
import dev.elasticjob.definition.OnDataLoss;
import dev.elasticjob.definition.OnForeignInstance;
import dev.elasticjob.definition.text.NameSelection;
import dev.elasticjob.engine.process.OwnThreads;
import dev.elasticjob.engine.registryjob.RegistryJobs;
import dev.elasticjob.execution.pool.NamedObjects;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.time.TaskTimer;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The parts that an engine was built from.
 *
 * @param capacity what the items of all runs of the engine take their weight of
 * @param coordination runs one task at a time
 * @param workers gives each task a thread at once
 * @param executors the application's executors, on which jobs that name one run their items
 * @param references replaces the references in headers and bodies of HTTP jobs
 * @param listeners fetches the listeners of a run: those that depend on the engine can only be created after it
 * @param demandInterval after which the demand of the jobs that are led here is read each time, if it is
 * @param starting is called without a lock when a job was registered with an engine that is not started
 * @param jobs which jobs this instance runs, by their names
 * @param registryJobs whether jobs that are kept in the registry run here, and which
 * @param owned the threads that the engine has made, and closes
 */
record EngineParts(
        Registry registry,
        InstanceIdentity identity,
        InstanceCapacity capacity,
        Clock clock,
        TaskTimer timer,
        Executor coordination,
        Executor workers,
        int maxThreads,
        Duration serverTick,
        Duration shutdownTimeout,
        SessionLoss onSessionLoss,
        OnForeignInstance onForeignInstance,
        OnDataLoss onDataLoss,
        ShardingStrategies strategies,
        NamedObjects<JobErrorHandler> errorHandlers,
        NamedObjects<Executor> executors,
        ShardingGroups.Settings groups,
        UnaryOperator<String> references,
        Supplier<Listeners> listeners,
        Optional<Duration> demandInterval,
        Supplier<? extends CompletionStage<Void>> starting,
        NameSelection jobs,
        RegistryJobs.Settings registryJobs,
        OwnThreads owned)
        implements AutoCloseable {
    @Override
    public void close() {
        owned.close();
    }
}
