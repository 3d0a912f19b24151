package dev.elasticjob.compatibility.operator;

import com.dangdang.ddframe.job.api.ShardingContext;
import com.dangdang.ddframe.job.api.simple.SimpleJob;

/** The job of the instance of 2.1.5: prints each item that it runs. */
public final class Noting implements SimpleJob {
    @Override
    @SuppressWarnings("SystemOut")
    public void execute(ShardingContext context) {
        System.out.println("ran\t" + context.getShardingItem());
    }
}
