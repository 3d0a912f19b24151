package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RunRequest;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * An application in a JVM of its own with two jobs whose items are blocking calls of a second: many at the same time,
 * none of which ends before all of them run, and a few on a pool of threads. It prints the milliseconds from the first
 * start to the last end of each job's items, and ends.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(OnMemory.class)
class ManyItemsApplication {
    static final int ITEMS = 10_000;
    static final int POOLED_ITEMS = 32;
    private static final int POOL = 16;

    public static void main(String[] arguments) {
        var spring = new SpringApplication(ManyItemsApplication.class);
        spring.setWebApplicationType(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context = spring.run(arguments)) {
            for (String job : new String[] {"calls", "pooled"}) {
                context.getBean(JobAdmin.class).run(job, RunRequest.create()).join();
                System.out.println(job + " took "
                        + context.getBean(job, Calls.class).took().toMillis());
            }
        }
        System.exit(0);
    }

    /** Waits for the other calls, and then for a second. */
    private static final class Calls implements SimpleJob {
        private final CountDownLatch running;
        private final LongAccumulator first = new LongAccumulator(Math::min, Long.MAX_VALUE);
        private final LongAccumulator last = new LongAccumulator(Math::max, Long.MIN_VALUE);

        Calls(int together) {
            running = new CountDownLatch(together);
        }

        @Override
        public void execute(ShardingContext context) throws InterruptedException {
            first.accumulate(System.nanoTime());
            running.countDown();
            running.await();
            new CountDownLatch(1).await(1, TimeUnit.SECONDS);
            last.accumulate(System.nanoTime());
        }

        Duration took() {
            return Duration.ofNanos(last.get() - first.get());
        }
    }

    @Bean
    @ElasticJob(name = "calls", shardingTotalCount = ITEMS)
    Calls calls() {
        return new Calls(ITEMS);
    }

    @Bean
    @ElasticJob(name = "pooled", shardingTotalCount = POOLED_ITEMS, executorServiceHandler = "pool")
    Calls pooled() {
        return new Calls(POOL);
    }

    @Bean
    ExecutorService pool() {
        return Executors.newFixedThreadPool(POOL);
    }
}
