package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.ItemOutcome;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.ShardingContexts;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.job.event.JobEvent.ItemRetried;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.testing.Heard;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** Executors, error handlers and listeners that are beans, with two instances on a real ZooKeeper. */
class PolicyBeansIT {
    private final OnZooKeeper zooKeeper = new OnZooKeeper();

    @AfterEach
    void close() {
        zooKeeper.close();
    }

    @Test
    void eachInstanceAnnouncesItsPartOfAFiringAndRunsItOnTheJobsExecutor() {
        Heard<String> a = heardBy(start("a"));
        zooKeeper.await(AssignmentChanged.class, now -> now.items().size() == 4);
        Heard<String> b = heardBy(start("b"));
        zooKeeper.await(
                AssignmentChanged.class,
                now -> now.epoch() == 2 && now.instance().equals("b"));
        zooKeeper.await(
                AssignmentChanged.class,
                now -> now.epoch() == 2 && now.instance().equals("a"));
        a.clear();

        a.await("a firing of two items", line("first after {2=COMPLETED, 3=FAILED}"));
        b.await("a firing of two items", line("first after {0=COMPLETED, 1=COMPLETED}"));

        assertThat(of(b.all(), "first before [0, 1]"))
                .containsSubsequence(
                        "first before [0, 1]",
                        "second before [0, 1]",
                        "second after {0=COMPLETED, 1=COMPLETED}",
                        "first after {0=COMPLETED, 1=COMPLETED}");
        assertThat(b.all()).contains("item 0 on slow-1").noneMatch(line -> line.startsWith("mail"));
        assertThat(a.all()).contains("item 3 on slow-1", "mail orders: item 3 fails");
        assertThat(a.all()).as("retries").filteredOn("item 3 on slow-1"::equals).hasSizeGreaterThanOrEqualTo(2);
        zooKeeper.await(
                ItemRetried.class,
                retried -> retried.item() == 3 && retried.instance().equals("a"));
    }

    @Test
    void clusterListenersAreCalledAroundTheFiringsOfTheJobsTheyApplyTo() {
        Heard<String> happened = heardBy(start("a"));

        happened.await("a firing with listeners", line("first after billing {0=COMPLETED, 1=COMPLETED}"));

        assertThat(happened.all().stream().filter(line -> line.contains("billing")))
                .startsWith("first before billing [0, 1]", "second before billing [0, 1]")
                .containsSubsequence(
                        "second after billing {0=COMPLETED, 1=COMPLETED}",
                        "first after billing {0=COMPLETED, 1=COMPLETED}");
        assertThat(happened.all()).noneMatch(line -> line.matches(".* (before|after) orders .*"));
    }

    private ConfigurableApplicationContext start(String instance) {
        return zooKeeper.start(instance, Shop.class);
    }

    private static Predicate<List<String>> line(String wanted) {
        return lines -> lines.contains(wanted);
    }

    /** What follows a line. */
    private static List<String> of(List<String> lines, String first) {
        return lines.subList(lines.indexOf(first), lines.size());
    }

    @SuppressWarnings("unchecked")
    private static Heard<String> heardBy(ConfigurableApplicationContext application) {
        return application.getBean("happened", Heard.class);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {
        @Bean
        Heard<String> happened() {
            return new Heard<>();
        }

        @Bean
        @ElasticJob(
                name = "orders",
                cron = "0/2 * * * * ?",
                shardingTotalCount = 4,
                retry = @ElasticJob.Retry(maxAttempts = 2, delay = "10ms"),
                jobExceptionHandler = "mailing",
                executorServiceHandler = "slow",
                concurrency = 1)
        SimpleJob orders(Heard<String> happened) {
            return context -> {
                happened.add("item " + context.getShardingItem() + " on "
                        + Thread.currentThread().getName());
                if (context.getShardingItem() == 3) {
                    throw new IllegalStateException("item 3 fails");
                }
            };
        }

        @Bean
        @ElasticJob(name = "billing", cron = "0/2 * * * * ?", shardingTotalCount = 2)
        SimpleJob billing(Heard<String> happened) {
            return context -> happened.add("billing of item " + context.getShardingItem());
        }

        @Bean
        @Order(2)
        ClusterJobListener secondOfBilling(Heard<String> happened) {
            return new ClusterWitness("second", happened);
        }

        @Bean
        @Order(1)
        ClusterJobListener firstOfBilling(Heard<String> happened) {
            return new ClusterWitness("first", happened);
        }

        @Bean
        ThreadPoolTaskExecutor slow() {
            var slow = new ThreadPoolTaskExecutor();
            slow.setThreadNamePrefix("slow-");
            slow.setCorePoolSize(1);
            return slow;
        }

        @Bean
        JobErrorHandler mailing(Heard<String> happened) {
            return (job, cause) -> happened.add("mail " + job + ": " + cause.getMessage());
        }

        @Bean
        @Order(2)
        ElasticJobListener second(Heard<String> happened) {
            return new Witness("second", happened);
        }

        @Bean
        @Order(1)
        ElasticJobListener first(Heard<String> happened) {
            return new Witness("first", happened);
        }
    }

    private record ClusterWitness(String name, Heard<String> happened) implements ClusterJobListener {
        @Override
        public boolean appliesTo(String jobName) {
            return jobName.equals("billing");
        }

        @Override
        public void beforeFirstItem(ClusterFiring firing) {
            happened.add(name + " before " + firing.jobName() + " " + firing.items());
        }

        @Override
        public void afterLastItem(ClusterFiring firing, FiringOutcomes outcomes) {
            Map<Integer, FiringOutcomes.End> ends = new TreeMap<>();
            outcomes.items().forEach((item, outcome) -> ends.put(item, outcome.end()));
            happened.add(name + " after " + firing.jobName() + " " + ends);
        }
    }

    private record Witness(String name, Heard<String> happened) implements ElasticJobListener {
        @Override
        public boolean appliesTo(String jobName) {
            return jobName.equals("orders");
        }

        @Override
        public void beforeJobExecuted(ShardingContexts contexts) {
            List<Integer> items = contexts.items().stream()
                    .map(ShardingContext::getShardingItem)
                    .sorted()
                    .toList();
            happened.add(name + " before " + items);
        }

        @Override
        public void afterJobExecuted(ShardingContexts contexts, Map<Integer, ItemOutcome> outcomes) {
            Map<Integer, ItemOutcome.Kind> kinds = new TreeMap<>();
            outcomes.forEach((item, outcome) -> kinds.put(item, outcome.kind()));
            happened.add(name + " after " + kinds);
        }
    }
}
