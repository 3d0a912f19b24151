package dev.elasticjob.compatibility.three;

import org.apache.shardingsphere.elasticjob.api.ShardingContext;
import org.apache.shardingsphere.elasticjob.simple.job.SimpleJob;

/** The job of the instance of 3.0.4: prints each item that it runs. */
public final class Noting implements SimpleJob {
    @Override
    @SuppressWarnings("SystemOut")
    public void execute(ShardingContext context) {
        System.out.println("ran\t" + context.getShardingItem());
    }
}
