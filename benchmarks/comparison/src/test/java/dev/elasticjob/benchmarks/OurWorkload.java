package dev.elasticjob.benchmarks;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.benchmarks.workload.Contender;
import dev.elasticjob.benchmarks.workload.FiringLog;
import dev.elasticjob.benchmarks.workload.WorkloadProcess;
import dev.elasticjob.benchmarks.workload.WorkloadSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.engine.ElasticJobEngineBuilder;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** This project's engine, with misfire, and with failover where it is monitored, as it comes. */
final class OurWorkload implements Contender {
    private final ElasticJobEngine engine;
    private final Set<String> assigned = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Boolean> allAssigned = new CompletableFuture<>();
    private final WorkloadSettings settings;
    private final JobAdmin admin;
    private final Semaphore never = new Semaphore(0);

    private OurWorkload(WorkloadSettings settings) {
        this.settings = settings;
        Registry registry = CuratorRegistry.connect(RegistrySettings.of(settings.registry(), "benchmark"));
        this.admin = new RegistryJobAdmin(registry);
        ElasticJobEngineBuilder builder = ElasticJobEngine.builder(registry)
                .instanceId(settings.ip() + "@-@1")
                .ip(settings.ip())
                .listener(this::hear);
        if (settings.bodyMillis() > 0) {
            builder.maxThreads(settings.jobs() * settings.items());
        }
        this.engine = builder.build();
    }

    public static void main(String... arguments) {
        WorkloadProcess.run(new OurWorkload(WorkloadSettings.of(arguments)), arguments);
    }

    static JobDefinition definition(WorkloadSettings settings, int number) {
        return JobDefinition.builder(settings.job(number))
                .cron(settings.cron())
                .shardingTotalCount(settings.items())
                .monitorExecution(settings.monitored())
                .failover(settings.monitored())
                .misfire(true)
                .build();
    }

    @Override
    public void prepare(WorkloadSettings same, FiringLog log) {
        for (int number = 0; number < settings.jobs(); number++) {
            engine.register(definition(settings, number), context -> {
                log.executed(context.getJobName(), context.getScheduledTime());
                never.tryAcquire(settings.bodyMillis(), TimeUnit.MILLISECONDS);
            });
        }
    }

    @Override
    public void request() {
        admin.trigger(settings.job(0)).toCompletableFuture().join();
    }

    private void hear(JobEvent event) {
        if (event instanceof JobEvent.AssignmentChanged changed
                && assigned.add(changed.jobName())
                && assigned.size() == settings.jobs()) {
            allAssigned.complete(true);
        }
    }

    /** Every job has been planned, and this instance knows its items. */
    @Override
    public void start() {
        engine.start().toCompletableFuture().join();
        allAssigned.join();
    }
}
