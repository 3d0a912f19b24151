package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.group.ShardAssignment;
import dev.elasticjob.group.ShardingNotice;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.DynamicSharding;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import dev.elasticjob.testing.Heard;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

/** An application that ends when its jobs have nothing to do, on a registry in memory. */
@ExtendWith(OutputCaptureExtension.class)
class CloseWhenFinishedTest {
    @Test
    void aListenerThatFailsDoesNotKeepIt(CapturedOutput output) {
        ConfigurableApplicationContext context = run(Application.class);

        context.getBean(Closing.class).heard().await("the end", heard -> heard.contains("closing"));
        // Waits until it is closed.
        context.close();

        assertThat(output)
                .contains("A listener of the application's events failed to handle WorkerIdleEvent")
                .doesNotContain("has no effect");
    }

    @Test
    void takingPartInGroupsIsWarnedOf(CapturedOutput output) {
        try (ConfigurableApplicationContext context = run(WithGroup.class)) {
            assertThat(context.isActive()).isTrue();
            assertThat(output)
                    .contains(
                            "\"elasticjob.worker.idle-after\" has no effect while this instance takes part in groups: their work has no end. Its groups are [partitions]");
        }
    }

    private static ConfigurableApplicationContext run(Class<?> application) {
        var spring = new SpringApplication(application);
        spring.setWebApplicationType(WebApplicationType.NONE);
        return spring.run("--elasticjob.worker.idle-after=2s");
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(ElasticJobAutoConfiguration.class)
    @Import(OnMemory.class)
    static class Application {
        @Bean
        Heard<String> heard() {
            return new Heard<>();
        }

        @Bean
        @ElasticJob(name = "orders", cron = "")
        SimpleJob orders() {
            return context -> {};
        }

        @EventListener
        void idle(WorkerIdleEvent idle) {
            throw new IllegalStateException("a listener's failure");
        }

        @Bean
        Closing closing(Heard<String> heard) {
            return new Closing(heard);
        }
    }

    record Closing(Heard<String> heard) {
        @EventListener
        void closing(ContextClosedEvent closed) {
            heard.add("closing");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Application.class)
    static class WithGroup {
        @Bean
        Partitions partitions() {
            return new Partitions();
        }
    }

    @DynamicSharding("partitions")
    static class Partitions implements ShardingNotice {
        @Override
        public void startSharding() {}

        @Override
        public void shardingCompleted(ShardAssignment assignment) {}
    }
}
