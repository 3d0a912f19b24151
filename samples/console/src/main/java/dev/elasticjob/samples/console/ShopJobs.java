package dev.elasticjob.samples.console;

import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.after.AfterOutcome;
import dev.elasticjob.spring.ElasticJob;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** One job for each state that a person on call meets. */
@Configuration(proxyBeanMethods = false)
class ShopJobs {
    private static final int WITHOUT_ADDRESS = 3;
    private static final Duration LONG = Duration.ofSeconds(40);

    /** Item 3 fails at each firing; {@link Operator} disables item 5. */
    @Bean
    @ElasticJob(
            name = "orders",
            cron = "0/20 * * * * ?",
            shardingTotalCount = 6,
            failover = true,
            description = "Sends orders to the warehouses")
    SimpleJob orders() {
        return context -> {
            if (context.getShardingItem() == WITHOUT_ADDRESS) {
                throw new IllegalStateException("Order 4711 has no address");
            }
        };
    }

    /** Follows each firing of the orders, however it has ended. */
    @Bean
    @ElasticJob(name = "report", after = "orders", afterOutcome = AfterOutcome.ANY)
    SimpleJob report() {
        return context ->
                System.out.println("report for " + context.getParents().size() + " firing");
    }

    /** Runs for most of each minute: look at it while it runs, then stop this process. */
    @Bean
    @ElasticJob(name = "import", cron = "0 * * * * ?", shardingTotalCount = 2, failover = true)
    SimpleJob importing() {
        return context -> {
            try {
                Thread.sleep(LONG.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("The import was interrupted", e);
            }
        };
    }

    /** {@link Operator} pauses it. */
    @Bean
    @ElasticJob(name = "newsletter", cron = "0 0 9 * * ?", timeZone = "Europe/Berlin")
    SimpleJob newsletter() {
        return context -> {};
    }

    /** Its servers are disabled when it is first registered. */
    @Bean
    @ElasticJob(name = "old-report", cron = "0 30 2 * * ?", disabled = true)
    SimpleJob oldReport() {
        return context -> {};
    }

    /** Runs on request only. */
    @Bean
    @ElasticJob(name = "reindex", shardingTotalCount = 4)
    SimpleJob reindex() {
        return context -> System.out.println("reindexed part " + context.getShardingItem());
    }
}
