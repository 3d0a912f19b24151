package dev.elasticjob.samples.placement;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.spring.ElasticJob;
import org.springframework.stereotype.Service;

/** Two jobs. The labels of an instance are in {@code application.yml}. */
@Service
class Warehouse {
    /** Four items, two in each zone, whatever the number of its instances. When a zone fails, the other one has all. */
    @ElasticJob(cron = "0/10 * * * * ?", shardingTotalCount = 4, jobShardingStrategyClass = "ZONE", runOn = "zone")
    void count(ShardingContext context) {
        System.out.println("count item " + context.getShardingItem());
    }

    /** Only where version 2 runs: one instance is updated first. To go back, set {@code version=1}, without a restart. */
    @ElasticJob(cron = "5/10 * * * * ?", runOn = "version=2")
    void forecast(ShardingContext context) {
        System.out.println("forecast for " + context.getScheduledTime());
    }
}
