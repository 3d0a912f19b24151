package dev.elasticjob.samples.after;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.after.ParentFiring;
import dev.elasticjob.spring.ElasticJob;

/** Runs after each import that has succeeded, at the same time as {@link StockJob}. */
@ElasticJob(name = "prices", after = "import", failover = true)
class PricesJob implements SimpleJob {
    @Override
    public void execute(ShardingContext context) {
        for (ParentFiring parent : context.getParents()) {
            System.out.println("prices after %s: %s".formatted(parent.runId(), parent.ends()));
        }
    }
}
