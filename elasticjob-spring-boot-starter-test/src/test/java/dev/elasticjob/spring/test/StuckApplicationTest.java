package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;

/** An application whose job neither ends nor heeds its interruption. */
@ElasticJobTest(classes = StuckApplicationTest.Application.class, timeout = "3s")
@DirtiesContext
class StuckApplicationTest {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        private final CountDownLatch end = new CountDownLatch(1);

        @Bean
        @ElasticJob(name = "stuck", cron = "0 0 0 1 1 ?")
        SimpleJob stuck() {
            return context -> {
                while (end.getCount() > 0) {
                    awaitTheEnd();
                }
            };
        }

        private void awaitTheEnd() {
            try {
                end.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException ignored) {
                // As bad jobs do.
            }
        }
    }

    @Autowired
    private Application application;

    @Test
    void stopsThoughTimeStandsStill(
            Jobs jobs, @Autowired Instances instances, @Autowired ConfigurableApplicationContext context) {
        assertThatThrownBy(() -> jobs.fire("stuck")).isInstanceOf(AssertionError.class);
        instances.killAll();
        long begin = System.nanoTime();

        context.stop();

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
        application.end.countDown();
    }
}
