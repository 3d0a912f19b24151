package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.ShardingContexts;
import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.autoconfigure.ElasticJobEngineBuilderCustomizer;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What an application has beside its jobs is heeded by the instances that a test starts, too. */
@ElasticJobTest(classes = ApplicationBeansTest.Application.class, startTime = "2027-02-03T04:05:06Z")
class ApplicationBeansTest {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        private final List<JobEvent> heard = new CopyOnWriteArrayList<>();
        private final List<String> begun = new CopyOnWriteArrayList<>();

        @Bean
        @ElasticJob(
                name = "mirror",
                cron = "0 0 0 1 1 ?",
                shardingTotalCount = 4,
                jobShardingStrategyClass = "allToTheFirst")
        SimpleJob mirror() {
            return context -> {};
        }

        /** The ids are in descending order: "b" comes before "application". */
        @Bean
        ShardingStrategy allToTheFirst() {
            return request -> Map.of(
                    request.instances().get(0),
                    IntStream.range(0, request.shardingTotalCount()).boxed().toList());
        }

        @Bean
        JobEventListener listener() {
            return heard::add;
        }

        @Bean
        ElasticJobListener around() {
            return new ElasticJobListener() {
                @Override
                public void beforeJobExecuted(ShardingContexts contexts) {
                    begun.add(contexts.jobName());
                }
            };
        }

        /** Would make the jobs fire by another clock, on a thread that nobody waits for. */
        @Bean
        ElasticJobEngineBuilderCustomizer ownClock() {
            return engine -> engine.clock(Clock.systemUTC()).workers(task -> {});
        }
    }

    @Autowired
    private Application application;

    @Test
    void strategiesAndListenersAreTheApplicationsAndTimeIsTheTests(Jobs jobs, ElasticJobCluster cluster) {
        cluster.start("b");

        Firing firing = jobs.fire("mirror");

        assertThat(firing).everyItem().ranOn("b");
        assertThat(application.heard)
                .filteredOn(JobEvent.ItemStarted.class::isInstance)
                .hasSize(4);
        assertThat(application.begun).containsExactly("mirror");
        assertThat(firing.executions())
                .extracting(Execution::scheduledAt)
                .containsOnly(Instant.parse("2027-02-03T04:05:06Z"));
    }
}
