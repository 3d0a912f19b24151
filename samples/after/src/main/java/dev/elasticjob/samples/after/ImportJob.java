package dev.elasticjob.samples.after;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;

/** A real job would load the files of one region for each item. */
@ElasticJob(
        name = "import",
        cron = "0/10 * * * * ?",
        shardingTotalCount = 3,
        shardingItemParameters = "0=north,1=south,2=west",
        failover = true)
class ImportJob implements SimpleJob {
    @Override
    public void execute(ShardingContext context) {
        System.out.println("imported %s for %s".formatted(context.getShardingParameter(), context.getScheduledTime()));
    }
}
