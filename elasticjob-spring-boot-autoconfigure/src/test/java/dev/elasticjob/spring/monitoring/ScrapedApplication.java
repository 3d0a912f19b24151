package dev.elasticjob.spring.monitoring;

import static dev.elasticjob.spring.OnMemory.get;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.autoconfigure.WaitingWrites;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application with jobs of which some fail, and what Prometheus reads from it. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ScrapedApplication {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Bean
    @ElasticJob(name = "orders", shardingTotalCount = 2)
    SimpleJob orders() {
        return context -> {};
    }

    @Bean
    @ElasticJob(name = "bills", shardingTotalCount = 2)
    SimpleJob bills() {
        return ScrapedApplication::fail;
    }

    /** Its calls have meters of their own. */
    @Bean
    ClusterJobListener totals() {
        return new ClusterJobListener() {
            @Override
            public boolean appliesTo(String jobName) {
                return jobName.equals("orders");
            }
        };
    }

    /** Stands for an event trace, which would need a database. */
    @Bean
    WaitingWrites trace() {
        return new WaitingWrites() {
            @Override
            public long waiting() {
                return 0;
            }

            @Override
            public Duration delay() {
                return Duration.ZERO;
            }

            @Override
            public long failures() {
                return 0;
            }
        };
    }

    private static void fail(ShardingContext context) {
        throw new IllegalStateException(
                "Expected the bills of item %d, but there are none".formatted(context.getShardingItem()));
    }

    /** Starts it, runs its jobs, and reads its metrics as Prometheus does. */
    static String scrape() {
        try (ConfigurableApplicationContext context = SpringApplication.run(
                ScrapedApplication.class,
                "--server.port=0",
                "--elasticjob.registry.embedded.enabled=true",
                "--elasticjob.registry.embedded.port=0",
                "--elasticjob.metrics.demand-interval=30s",
                "--management.endpoints.web.exposure.include=prometheus")) {
            JobAdmin admin = context.getBean(JobAdmin.class);
            get(admin.run("orders", RunRequest.create()));
            get(admin.run("bills", RunRequest.create()));
            return read("http://localhost:%s/actuator/prometheus"
                    .formatted(context.getEnvironment().getRequiredProperty("local.server.port")));
        }
    }

    private static String read(String uri) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(uri))
                .header("Accept", "text/plain;version=0.0.4")
                .timeout(LIMIT)
                .build();
        try {
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while " + uri + " was read", e);
        }
    }
}
