package com.example.slices;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import java.util.concurrent.atomic.AtomicInteger;

@ElasticJob(name = "billing", cron = "0 0 3 * * ?", shardingTotalCount = 2)
class BillingJob implements SimpleJob {
    /** How many applications with this job were started in this JVM. */
    static final AtomicInteger STARTED = new AtomicInteger();

    private final Clerk clerk;

    BillingJob(Clerk clerk) {
        this.clerk = clerk;
        STARTED.incrementAndGet();
    }

    @Override
    public void execute(ShardingContext context) {
        clerk.write(context.getShardingItem());
    }
}
