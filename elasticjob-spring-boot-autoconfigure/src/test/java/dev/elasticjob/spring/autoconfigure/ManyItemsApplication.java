package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAccumulator;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.task.SimpleAsyncTaskExecutorCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * An application in a JVM of its own with two jobs whose items are blocking calls of a second: many at the same time,
 * none of which ends before all of them run, and a few on a pool of threads. For each job of {@code many.jobs}, it
 * prints the milliseconds from the first start to the last end of the items, one of their threads, and how many ran at
 * once at most; then it ends.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(OnMemory.class)
class ManyItemsApplication {
    static final int ITEMS = 10_000;
    static final int POOLED_ITEMS = 32;
    static final int BOUNDED_ITEMS = 60;
    static final int BOUND = 20;
    private static final int POOL = 16;

    public static void main(String[] arguments) {
        var spring = new SpringApplication(ManyItemsApplication.class);
        spring.setWebApplicationType(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context = spring.run(arguments)) {
            for (String job : context.getEnvironment()
                    .getProperty("many.jobs", "calls,pooled")
                    .split(",")) {
                Calls calls = context.getBean(job, Calls.class);
                context.getBean(JobAdmin.class).run(job, RunRequest.create()).join();
                System.out.println(job + " took " + calls.took().toMillis());
                System.out.println(job + " ran on " + calls.threads.iterator().next());
                System.out.println(job + " at once " + calls.most.get());
            }
        }
        System.exit(0);
    }

    /** Waits for the other calls, and then for a second. */
    private static final class Calls implements SimpleJob {
        private final CountDownLatch running;
        private final LongAccumulator first = new LongAccumulator(Math::min, Long.MAX_VALUE);
        private final LongAccumulator last = new LongAccumulator(Math::max, Long.MIN_VALUE);

        private final Set<String> threads = ConcurrentHashMap.newKeySet();
        private final AtomicInteger now = new AtomicInteger();
        private final LongAccumulator most = new LongAccumulator(Math::max, 0);

        Calls(int together) {
            running = new CountDownLatch(together);
        }

        @Override
        public void execute(ShardingContext context) throws InterruptedException {
            first.accumulate(System.nanoTime());
            most.accumulate(now.incrementAndGet());
            threads.add(Thread.currentThread().toString());
            running.countDown();
            running.await();
            new CountDownLatch(1).await(1, TimeUnit.SECONDS);
            now.decrementAndGet();
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
    @ElasticJob(name = "bounded", shardingTotalCount = BOUNDED_ITEMS)
    Calls bounded() {
        return new Calls(BOUND);
    }

    /** As an application changes the executors that Spring Boot builds. */
    @Bean
    SimpleAsyncTaskExecutorCustomizer customizer() {
        return executor -> System.out.println("customized the executor of " + executor.getThreadNamePrefix());
    }

    @Bean
    ExecutorService pool() {
        return Executors.newFixedThreadPool(POOL);
    }
}
