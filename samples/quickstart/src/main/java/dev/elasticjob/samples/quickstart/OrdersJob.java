package dev.elasticjob.samples.quickstart;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;

/**
 * A real job would process the orders of one city for each item. This one prints a line when an item starts and a line
 * when it ends, each with the instance that runs it.
 */
@ElasticJob(
        name = "orders",
        cron = "0/5 * * * * ?",
        shardingTotalCount = 3,
        shardingItemParameters = "0=Beijing,1=Shanghai,2=Guangzhou")
class OrdersJob implements SimpleJob {
    private static final int PARTS_OF_A_TASK_ID = 5;

    private final Duration workTakes;

    /** @param workTakes duration of an execution; set {@code quickstart.work-takes=30s} to have time to kill a process */
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
        // One call for the whole line: items run in parallel, and their lines must not mix.
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
