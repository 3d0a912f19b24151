package dev.elasticjob.benchmarks.boot;

import dev.elasticjob.benchmarks.workload.Contender;
import dev.elasticjob.benchmarks.workload.FiringLog;
import dev.elasticjob.benchmarks.workload.WorkloadProcess;
import dev.elasticjob.benchmarks.workload.WorkloadSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;

/** Jobs of a Spring Boot application, monitored, with failover and misfire. */
public final class SpringBootWorkload implements Contender {
    private final Class<?>[] sources;
    private @Nullable ElasticJobEngine engine;
    private @Nullable WorkloadSettings settings;
    private @Nullable FiringLog log;

    /** @param more configuration besides the starter's */
    public SpringBootWorkload(Class<?>... more) {
        this.sources = more;
    }

    public static void main(String... arguments) {
        WorkloadProcess.run(new SpringBootWorkload(), arguments);
    }

    @Override
    public void prepare(WorkloadSettings settings, FiringLog log) {
        this.settings = settings;
        this.log = log;
        engine = new SpringApplicationBuilder(Application.class)
                .sources(sources)
                .web(WebApplicationType.NONE)
                .run(
                        "--elasticjob.registry.connect-string=" + settings.registry(),
                        "--elasticjob.instance.ip=" + settings.ip())
                .getBean(ElasticJobEngine.class);
    }

    @Override
    public void start() {
        ElasticJobEngine running = prepared(engine);
        WorkloadSettings work = prepared(settings);
        FiringLog executions = prepared(log);
        CompletableFuture<?>[] registered = IntStream.range(0, work.jobs())
                .mapToObj(number -> running.register(
                        definition(work, number),
                        context -> executions.executed(context.getJobName(), context.getScheduledTime())))
                .map(stage -> stage.toCompletableFuture())
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(registered).join();
    }

    private static JobDefinition definition(WorkloadSettings settings, int number) {
        return JobDefinition.builder(settings.job(number))
                .cron(settings.cron())
                .shardingTotalCount(settings.items())
                .failover(true)
                .misfire(true)
                .build();
    }

    private static <T> T prepared(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("Expected prepare() before start()");
        }
        return value;
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {
        /** Never runs: an application that declares no job doesn't start its engine. */
        @Bean
        @ElasticJob(name = "idle")
        SimpleJob idle() {
            return context -> {};
        }
    }
}
