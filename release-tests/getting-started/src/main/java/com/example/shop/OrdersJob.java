package com.example.shop;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@ElasticJob(
        name = "orders",
        cron = "0/5 * * * * ?",
        shardingTotalCount = 3,
        shardingItemParameters = "0=Beijing,1=Shanghai,2=Guangzhou")
class OrdersJob implements SimpleJob {
    private static final Logger log = LoggerFactory.getLogger(OrdersJob.class);

    @Override
    public void execute(ShardingContext context) {
        log.info("Processing the orders of {}", context.getShardingParameter());
    }
}
