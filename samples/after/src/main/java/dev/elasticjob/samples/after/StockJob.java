package dev.elasticjob.samples.after;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.after.ParentFiring;
import dev.elasticjob.spring.ElasticJob;

/** Runs after each import that has succeeded, with items of its own. */
@ElasticJob(name = "stock", after = "import", shardingTotalCount = 2, failover = true)
class StockJob implements SimpleJob {
    @Override
    public void execute(ShardingContext context) {
        for (ParentFiring parent : context.getParents()) {
            System.out.println("stock item %d after %s".formatted(context.getShardingItem(), parent.runId()));
        }
    }
}
