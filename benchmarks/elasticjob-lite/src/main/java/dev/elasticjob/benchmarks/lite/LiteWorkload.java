package dev.elasticjob.benchmarks.lite;

import dev.elasticjob.benchmarks.workload.Contender;
import dev.elasticjob.benchmarks.workload.FiringLog;
import dev.elasticjob.benchmarks.workload.WorkloadProcess;
import dev.elasticjob.benchmarks.workload.WorkloadSettings;
import java.time.Duration;
import java.time.Instant;
import org.apache.shardingsphere.elasticjob.api.JobConfiguration;
import org.apache.shardingsphere.elasticjob.api.ShardingContext;
import org.apache.shardingsphere.elasticjob.lite.api.bootstrap.impl.ScheduleJobBootstrap;
import org.apache.shardingsphere.elasticjob.lite.internal.instance.InstanceService;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperConfiguration;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperRegistryCenter;
import org.apache.shardingsphere.elasticjob.simple.job.SimpleJob;

/** ElasticJob 3.0.4, with misfire, and with failover where it is monitored, as it comes. */
public final class LiteWorkload implements Contender {
    private ZookeeperRegistryCenter registry;
    private WorkloadSettings settings;
    private FiringLog log;

    public static void main(String... arguments) {
        WorkloadProcess.run(new LiteWorkload(), arguments);
    }

    @Override
    public void prepare(WorkloadSettings settings, FiringLog log) {
        registry = new ZookeeperRegistryCenter(new ZookeeperConfiguration(settings.registry(), "benchmark"));
        registry.init();
        this.settings = settings;
        this.log = log;
    }

    /** The constructor of a bootstrap registers its job already: what starting costs begins there. */
    @Override
    public void start() {
        for (int number = 0; number < settings.jobs(); number++) {
            String name = settings.job(number);
            JobConfiguration definition = JobConfiguration.newBuilder(name, settings.items())
                    .cron(settings.cron())
                    .monitorExecution(settings.monitored())
                    .failover(settings.monitored())
                    .misfire(true)
                    .build();
            SimpleJob job = this::execute;
            new ScheduleJobBootstrap(registry, job, definition).schedule();
        }
    }

    /** What its console and its command line do. */
    @Override
    public void request() {
        new InstanceService(registry, settings.job(0)).triggerAllInstances();
    }

    private void execute(ShardingContext context) {
        log.executed(context.getJobName(), scheduledAt());
    }

    /** It doesn't tell for when: the latest moment at which the jobs of the benchmark can have fired. */
    private Instant scheduledAt() {
        long period = period().toMillis();
        return Instant.ofEpochMilli(System.currentTimeMillis() / period * period);
    }

    /** Of {@code 0/5 * * * * ?} or {@code * * * * * ?}. */
    private Duration period() {
        String seconds = settings.cron().split(" ")[0];
        return seconds.startsWith("0/")
                ? Duration.ofSeconds(Integer.parseInt(seconds.substring(2)))
                : Duration.ofSeconds(1);
    }
}
