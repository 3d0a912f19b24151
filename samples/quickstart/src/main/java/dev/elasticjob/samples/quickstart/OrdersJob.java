package dev.elasticjob.samples.quickstart;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;

/**
 * Would work on the orders of one city for each item; says who does it instead, with one line when an item starts and
 * one when it ends.
 */
@ElasticJob(
        name = "orders",
        cron = "0/5 * * * * ?",
        shardingTotalCount = 3,
        shardingItemParameters = "0=Beijing,1=Shanghai,2=Guangzhou")
class OrdersJob implements SimpleJob {
    private static final int PARTS_OF_A_TASK_ID = 5;

    private final Duration workTakes;

    /** @param workTakes how long an execution lasts: {@code quickstart.work-takes=30s} to have time to end a process */
    OrdersJob(@Value("${quickstart.work-takes:0s}") Duration workTakes) {
        this.workTakes = workTakes;
    }

    @Override
    public void execute(ShardingContext context) throws InterruptedException {
        say(context, "started");
        Thread.sleep(workTakes.toMillis());
        say(context, "ended");
    }

    private static void say(ShardingContext context, String what) {
        // In one piece: items run in parallel, and their lines must not mix.
        System.out.println("%s item=%d parameter=%s scheduledAt=%s instance=%s attempt=%d %s"
                .formatted(
                        context.getJobName(),
                        context.getShardingItem(),
                        context.getShardingParameter(),
                        context.getScheduledTime(),
                        instance(context),
                        context.getAttempt(),
                        what));
    }

    /** The last part of the task id: job, item, scheduled time, attempt, instance, joined by {@code @-@}. */
    private static String instance(ShardingContext context) {
        return context.getTaskId().split("@-@", PARTS_OF_A_TASK_ID)[PARTS_OF_A_TASK_ID - 1];
    }
}
