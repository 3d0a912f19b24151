package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

/**
 * An application without a web server, in a JVM of its own. It prints what happens, and does what it is told on its
 * standard input: {@code release} lets its item go on, {@code close} closes the context.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class NonWebApplication {
    private static final CompletableFuture<Void> RELEASED = new CompletableFuture<>();

    public static void main(String[] arguments) {
        var spring = new SpringApplication(NonWebApplication.class);
        spring.setWebApplicationType(WebApplicationType.NONE);
        ConfigurableApplicationContext context = spring.run(arguments);
        var orders = new Thread(() -> obey(context), "orders");
        orders.setDaemon(true);
        orders.start();
        System.out.println("main has returned");
    }

    private static void obey(ConfigurableApplicationContext context) {
        try (var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                switch (line) {
                    case "release" -> RELEASED.complete(null);
                    case "close" -> new Thread(context::close, "closing").start();
                    default -> System.out.println("unknown: " + line);
                }
            }
        } catch (IOException e) {
            System.out.println("input: " + e);
        }
    }

    @Bean
    @ElasticJob(name = "orders", cron = "* * * * * ?")
    SimpleJob orders() {
        return context -> {
            System.out.println("item begins");
            RELEASED.get(60, TimeUnit.SECONDS);
            System.out.println("item ends");
        };
    }

    @EventListener
    void closing(ContextClosedEvent closed) {
        System.out.println("context closes");
    }
}
