package dev.elasticjob.console.browser;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.RegistryJobInspector;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.console.api.ConsoleRegistry;
import dev.elasticjob.console.autoconfigure.ShownRegistries;
import dev.elasticjob.console.autoconfigure.ShownRegistries.Shown;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration;
import dev.elasticjob.time.SystemTaskTimer;
import java.time.Clock;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** One of several registries that a console shows, with one job that no instance runs. */
final class Namespace implements AutoCloseable {
    private final InMemoryEnsemble ensemble = new InMemoryEnsemble(Clock.systemUTC());
    private final SystemTaskTimer timer = new SystemTaskTimer("commands");
    private final String name;
    private final String job;
    final InMemoryRegistry registry;

    Namespace(String name, String job) {
        this.name = name;
        this.job = job;
        this.registry = new InMemoryRegistry(ensemble, new SimpleAsyncTaskExecutor(name + "-"));
    }

    void register() throws Exception {
        var own = new InMemoryRegistry(ensemble, new SimpleAsyncTaskExecutor(name + "-engine-"));
        try (ElasticJobEngine engine =
                ElasticJobEngine.builder(own).ip("10.0.0.1").build()) {
            engine.register(JobDefinition.builder(job).cron("0 0 4 1 1 ?").build(), (SimpleJob) context -> {});
            engine.start().toCompletableFuture().get(60, TimeUnit.SECONDS);
        }
    }

    private Shown shown() {
        var clock = Clock.systemUTC();
        return new Shown(
                name,
                "shop",
                ConsoleRegistry.Mode.OPERATED,
                new RegistryJobInspector(registry, clock, timer, clock::instant, TreeMap::new),
                new RegistryJobAdmin(registry, new CommandLog(event -> {}, Actor.UNKNOWN, name), timer));
    }

    @Override
    public void close() {
        timer.close();
    }

    /** A console of them all, at a port of its own. */
    static ConfigurableApplicationContext show(Namespace... all) {
        var shown = new ShownRegistries(Stream.of(all).map(Namespace::shown).toList());
        var application = new SpringApplication(Console.class);
        application.addInitializers(context -> context.getBeanFactory().registerSingleton("shown", shown));
        return application.run(
                "--server.port=0",
                "--elasticjob.console.roles.operator=OPS",
                "--spring.autoconfigure.exclude=" + ElasticJobAutoConfiguration.class.getName());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Console {
        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("mei").password("{noop}mei").roles("OPS").build());
        }
    }
}
