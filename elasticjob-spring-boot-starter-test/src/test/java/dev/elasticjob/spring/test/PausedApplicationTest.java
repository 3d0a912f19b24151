package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.RepeatedTest;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Between two test classes, Spring Framework pauses an application that it keeps for a later one. */
@ElasticJobTest(classes = PausedApplicationTest.Application.class)
class PausedApplicationTest {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        @ElasticJob(name = "orders", cron = "0/5 * * * * ?", shardingTotalCount = 3)
        SimpleJob orders() {
            return context -> {};
        }
    }

    @RepeatedTest(50)
    void noTimePassesWhileItIsPaused(
            Jobs jobs, ElasticJobCluster cluster, @Autowired ConfigurableApplicationContext context) {
        jobs.advance(Duration.ofMinutes(1));
        Instant before = jobs.clock().instant();

        context.pause();
        context.restart();

        assertThat(jobs.clock().instant()).isEqualTo(before);
        jobs.advance(Duration.ofMinutes(1));
        assertThat(cluster).everyItemOf("orders").ranTimes(24);
    }
}
