package dev.elasticjob.samples.elastic;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.spring.ElasticJob;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;

/** One job, of ten items that take a while. */
@Service
class Billing {
    private final Duration itemTakes;

    Billing(@Value("${billing.item-takes}") Duration itemTakes) {
        this.itemTakes = itemTakes;
    }

    /** Each night, and whenever somebody runs it. The items of a pod that dies go on elsewhere. */
    @ElasticJob(cron = "0 0 2 * * ?", shardingTotalCount = 10, failover = true)
    void invoices(ShardingContext context) throws InterruptedException {
        say(context, "begins");
        Thread.sleep(itemTakes.toMillis());
        say(context, "is done");
    }

    private static void say(ShardingContext context, String what) {
        // One call for the whole line: items run in parallel.
        System.out.println("item %d %s, attempt %d".formatted(context.getShardingItem(), what, context.getAttempt()));
    }
}
