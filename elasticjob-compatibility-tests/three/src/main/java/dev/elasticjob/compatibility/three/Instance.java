package dev.elasticjob.compatibility.three;

import java.io.IOException;
import org.apache.shardingsphere.elasticjob.api.JobConfiguration;
import org.apache.shardingsphere.elasticjob.lite.api.bootstrap.impl.ScheduleJobBootstrap;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperConfiguration;
import org.apache.shardingsphere.elasticjob.reg.zookeeper.ZookeeperRegistryCenter;

/** An instance of 3.0.4 with one job, which prints what it runs. It leaves, and ends, with its input. */
public final class Instance {
    private Instance() {}

    /** @param args connect string, namespace, and whether its settings replace those in the registry */
    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws IOException {
        var registry = new ZookeeperRegistryCenter(new ZookeeperConfiguration(args[0], args[1]));
        registry.init();
        var job = JobConfiguration.newBuilder("orders", 2)
                .cron("* * * * * ?")
                .overwrite(Boolean.parseBoolean(args[2]))
                .build();
        try {
            new ScheduleJobBootstrap(registry, new Noting(), job).schedule();
            System.out.println("started");
        } catch (RuntimeException e) {
            System.out.println("failed\t" + e.getClass().getName());
        }
        while (System.in.read() >= 0) {
            // Until nobody is there any more.
        }
        registry.close();
        Runtime.getRuntime().halt(0);
    }
}
