package dev.elasticjob.faults;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.testing.TestZooKeeper;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * One instance of the jobs under test, in a JVM of its own: it prints a {@link Happening} for whatever happens. It ends
 * gracefully when it is asked to, and at once with the JVM that started it.
 */
final class Workload {
    static final String NAMESPACE = "faults";

    private final Semaphore never = new Semaphore(0);
    private final Duration body;

    private Workload(WorkloadSettings settings) {
        this.body = settings.body();
    }

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException {
        WorkloadSettings settings = WorkloadSettings.of(arguments);
        Workload workload = new Workload(settings);
        Registry registry = CuratorRegistry.connect(settings.registry());
        ElasticJobEngine engine = ElasticJobEngine.builder(registry)
                .instanceId(settings.instance())
                .ip(settings.instance())
                .shutdownTimeout(settings.shutdownTimeout())
                .serverTick(TestZooKeeper.TICK)
                .listener(workload::hear)
                .build();
        settings.jobs().forEach(job -> engine.register(definition(job, settings), workload::execute));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            engine.close();
            registry.close();
            print(Happening.of(Happening.Kind.LEFT));
        }));
        HeartBeat.begin();
        engine.start().whenComplete((started, error) -> {
            if (error != null) {
                print(Happening.of(Happening.Kind.REFUSED));
            }
        });
        HeartBeat.lastUntilTheInputEnds();
    }

    private static JobDefinition definition(String job, WorkloadSettings settings) {
        return JobDefinition.builder(job)
                .cron(settings.cron())
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(settings.items())
                .failover(settings.failover())
                .misfire(settings.misfire())
                .build();
    }

    private void execute(ShardingContext context) throws InterruptedException {
        print(Happening.start(context));
        boolean whole = false;
        try {
            whole = work(context);
        } finally {
            print(Happening.end(context, whole));
        }
    }

    /** Takes its time. */
    private boolean work(ShardingContext context) throws InterruptedException {
        never.tryAcquire(body.toNanos(), TimeUnit.NANOSECONDS);
        return !context.isLeaseLost();
    }

    private void hear(JobEvent event) {
        if (event instanceof JobEvent.FiringsFolded folded) {
            print(Happening.gap(Happening.Kind.FOLDED, folded.jobName(), folded.item(), folded.into(), folded.count()));
        } else if (event instanceof JobEvent.FiringsLost lost) {
            print(Happening.gap(Happening.Kind.LOST, lost.jobName(), lost.item(), lost.before(), lost.count()));
        } else if (event instanceof JobEvent.StateChanged changed) {
            print(Happening.state(changed.jobName(), changed.to()));
        } else if (event instanceof JobEvent.AssignmentChanged changed) {
            print(Happening.owns(changed.jobName(), changed.items()));
        }
    }

    @SuppressWarnings("SystemOut")
    private static void print(Happening happening) {
        System.out.println(happening.line(Instant.now()));
    }
}
