package dev.elasticjob.migration;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration;
import dev.elasticjob.spring.autoconfigure.ElasticJobProperties;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A Spring Boot application that starts with the files that a migration produced, on a registry in memory. */
final class ProducedApplication implements AutoCloseable {
    private final ConfigurableApplicationContext context;

    private ProducedApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** @param jobs annotated classes of jobs */
    static ProducedApplication start(Path folder, List<Class<?>> jobs, String... arguments) {
        List<Class<?>> sources = new ArrayList<>(List.of(InMemory.class));
        sources.addAll(jobs);
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--spring.config.location=" + folder.toUri());
        all.add("--elasticjob.fail-on-unknown-jobs=true");
        all.add("--elasticjob.instance.ip=10.0.0.1");
        all.add("--spring.main.banner-mode=off");
        return new ProducedApplication(new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                .web(WebApplicationType.NONE)
                .run(all.toArray(String[]::new)));
    }

    /** As it is stored once the job has started. */
    JobDefinition definition(String job) {
        return get(context.getBean(JobAdmin.class).definition(job));
    }

    List<String> jobs() {
        return context.getBean(ElasticJobEngine.class).jobNames().stream()
                .sorted()
                .toList();
    }

    ElasticJobProperties properties() {
        return context.getBean(ElasticJobProperties.class);
    }

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        context.close();
    }

    @Configuration
    @ImportAutoConfiguration(ElasticJobAutoConfiguration.class)
    static class InMemory {
        @Bean(destroyMethod = "shutdown")
        ExecutorService registryThread() {
            return Executors.newSingleThreadExecutor();
        }

        @Bean
        Registry registry(ExecutorService registryThread) {
            return new InMemoryRegistry(new InMemoryEnsemble(Clock.systemUTC()), registryThread);
        }
    }
}
