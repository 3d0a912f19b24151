package dev.elasticjob.compatibility.operator;

import com.dangdang.ddframe.job.config.JobCoreConfiguration;
import com.dangdang.ddframe.job.config.simple.SimpleJobConfiguration;
import com.dangdang.ddframe.job.lite.api.JobScheduler;
import com.dangdang.ddframe.job.lite.config.LiteJobConfiguration;
import com.dangdang.ddframe.job.reg.zookeeper.ZookeeperConfiguration;
import com.dangdang.ddframe.job.reg.zookeeper.ZookeeperRegistryCenter;
import java.io.IOException;

/** An instance of 2.1.5 with one job, which prints what it runs. Ends with its input, as if it were killed. */
public final class Instance {
    private static final int SESSION_MILLIS = 4_000;

    private Instance() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws IOException {
        var configuration = new ZookeeperConfiguration(args[0], args[1]);
        configuration.setSessionTimeoutMilliseconds(SESSION_MILLIS);
        var registry = new ZookeeperRegistryCenter(configuration);
        registry.init();
        var core = JobCoreConfiguration.newBuilder("orders", "* * * * * ?", 2).build();
        var job = new SimpleJobConfiguration(core, Noting.class.getCanonicalName());
        new JobScheduler(registry, LiteJobConfiguration.newBuilder(job).build()).init();
        System.out.println("started");
        while (System.in.read() >= 0) {
            // Until nobody is there any more.
        }
        Runtime.getRuntime().halt(0);
    }
}
