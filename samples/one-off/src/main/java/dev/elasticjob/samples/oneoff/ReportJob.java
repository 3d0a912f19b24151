package dev.elasticjob.samples.oneoff;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import java.time.YearMonth;

/** A real job would write the report on one city for each item, for the requested month. This one prints its title. */
@ElasticJob(
        name = "report",
        shardingTotalCount = 3,
        shardingItemParameters = "0=Beijing,1=Shanghai,2=Guangzhou",
        failover = true)
class ReportJob implements SimpleJob {
    @Override
    public void execute(ShardingContext context) {
        YearMonth month = YearMonth.parse(context.getRunParameter());
        System.out.println("report on %s for %s, item %d"
                .formatted(context.getShardingParameter(), month, context.getShardingItem()));
    }
}
