package dev.elasticjob.spring;

import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import java.time.Clock;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/** The registry of an application in a test: in memory. */
@Configuration(proxyBeanMethods = false)
public class OnMemory {
    private static final long LIMIT_SECONDS = 60;

    @Bean
    InMemoryEnsemble ensemble() {
        return new InMemoryEnsemble(Clock.systemUTC());
    }

    @Bean
    Registry registry(InMemoryEnsemble ensemble) {
        return new InMemoryRegistry(ensemble, new SimpleAsyncTaskExecutor("registry-"));
    }

    /** The answer, which takes as long as it takes. */
    public static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture()
                .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                .join();
    }
}
