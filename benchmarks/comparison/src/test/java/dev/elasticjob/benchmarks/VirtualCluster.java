package dev.elasticjob.benchmarks;

import com.sun.management.ThreadMXBean;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** Instances on the registry in memory, in virtual time: one thread does all that they do, so that counts are exact. */
final class VirtualCluster {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final ManualTime time = new ManualTime(Instant.parse("2026-03-01T00:00:30Z"));
    private final InMemoryEnsemble ensemble = new InMemoryEnsemble(time);
    private final List<ElasticJobEngine> engines = new ArrayList<>();
    private long executed;
    private long allocatedByJobs;

    /** Starts one more instance of jobs that fire every minute and do nothing. */
    void start(int jobs, int items) {
        int instance = engines.size();
        String ip = "10.%d.%d.1".formatted(instance / 250, instance % 250);
        ElasticJobEngine engine = ElasticJobEngine.builder(new InMemoryRegistry(ensemble, tasks::add))
                .instanceId(ip + "@-@1")
                .ip(ip)
                .clock(time)
                .timer(time)
                .coordinationExecutor(tasks::add)
                .workers(work -> tasks.add(() -> run(work)))
                .maxThreads(items)
                .build();
        for (int job = 0; job < jobs; job++) {
            JobDefinition definition = JobDefinition.builder("job-" + job)
                    .cron("0 * * * * ?")
                    .shardingTotalCount(items)
                    .failover(true)
                    .build();
            engine.register(definition, context -> executed++);
        }
        engines.add(engine);
        engine.start();
    }

    /** In good order. */
    void stop(int instance) {
        engines.get(instance).stop();
    }

    long executed() {
        return executed;
    }

    /** In bytes, by what ran on the threads of items. */
    long allocatedByJobs() {
        return allocatedByJobs;
    }

    private void run(Runnable work) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        work.run();
        allocatedByJobs += THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    /** How many requests the registry gets meanwhile. */
    long requestsOf(Runnable happening) {
        long before = ensemble.requests();
        happening.run();
        return ensemble.requests() - before;
    }

    /** Lets time pass, from one timer to the next; whatever can be done is done. */
    void pass(Duration duration) {
        Instant end = time.instant().plus(duration);
        settle();
        while (time.instant().isBefore(end)) {
            Instant next = time.nextTask().filter(task -> task.isBefore(end)).orElse(end);
            time.advance(Duration.between(time.instant(), next));
            settle();
        }
    }

    private void settle() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }
}
