package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** When the jobs of an application start: before or after its runners. */
@ExtendWith(OutputCaptureExtension.class)
class StartWhenReadyTest {
    @Test
    void jobsStartBeforeTheRunnersByDefault() {
        try (ConfigurableApplicationContext context = run()) {
            assertThat(context.getBean(Order.class).runnerFound).containsExactly(true);
        }
    }

    /** In every form in which Spring Boot binds it. */
    @ParameterizedTest
    @ValueSource(strings = {"ready", "READY", "Ready", "ready ", " READY"})
    void jobsStartAfterTheRunnersWhereTheApplicationWantsThat(String ready) throws Exception {
        try (ConfigurableApplicationContext context = run("--elasticjob.start=" + ready)) {
            Order order = context.getBean(Order.class);
            assertThat(order.runnerFound).containsExactly(false);
            assertThat(context.getBean(EngineLifecycle.class).isRunning()).isTrue();
            order.jobRan.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void jobsOfAChildContextDoNotStartThoseOfItsParent() {
        try (ConfigurableApplicationContext parent = run("--elasticjob.start=ready")) {
            parent.stop();
            new SpringApplicationBuilder(Child.class)
                    .parent(parent)
                    .web(WebApplicationType.NONE)
                    .run()
                    .close();

            assertThat(parent.getBean(EngineLifecycle.class).isRunning()).isFalse();
        }
    }

    @Test
    void failureOfALateStartEndsTheApplication(CapturedOutput output) {
        assertThatException()
                .isThrownBy(() -> new SpringApplicationBuilder(WithoutRegistry.class)
                        .web(WebApplicationType.NONE)
                        .run("--elasticjob.start=ready"));

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("the property \"elasticjob.registry.connect-string\" is not set");
    }

    private static ConfigurableApplicationContext run(String... arguments) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .run(arguments);
    }

    static class Order {
        final Queue<Boolean> runnerFound = new ConcurrentLinkedQueue<>();
        final CompletableFuture<Void> jobRan = new CompletableFuture<>();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithoutRegistry {
        @Bean
        Order order() {
            return new Order();
        }

        @Bean
        @ElasticJob(name = "orders", cron = "* * * * * ?")
        SimpleJob orders(Order order) {
            return context -> order.jobRan.complete(null);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(OnMemory.class)
    static class Application extends WithoutRegistry {
        @Bean
        ApplicationRunner runner(Order order, EngineLifecycle lifecycle) {
            return arguments -> order.runnerFound.add(lifecycle.isRunning());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Child {}
}
