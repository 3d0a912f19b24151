package dev.elasticjob.kubernetes.local;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import java.util.Scanner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application in the pods. The items of a run whose parameter is {@code hold} end when their pod is told to go on. */
@SpringBootApplication
public class OrdersWorker {
    private static final CountDownLatch TOLD = new CountDownLatch(1);

    public static void main(String[] arguments) {
        Thread listening = new Thread(() -> {
            new Scanner(System.in).nextLine();
            TOLD.countDown();
        });
        listening.setDaemon(true);
        listening.start();
        SpringApplication.run(OrdersWorker.class, arguments);
    }

    @ElasticJob(name = "orders", shardingTotalCount = 10, failover = true)
    static class Orders implements SimpleJob {
        @Override
        public void execute(ShardingContext context) throws InterruptedException {
            say(context, "started");
            if (context.getRunParameter().equals("hold")) {
                TOLD.await(5, TimeUnit.MINUTES);
            }
            say(context, "ended");
        }

        private static void say(ShardingContext context, String what) {
            // One call for the whole line: items run in parallel.
            System.out.println("item %d %s".formatted(context.getShardingItem(), what));
        }
    }
}
