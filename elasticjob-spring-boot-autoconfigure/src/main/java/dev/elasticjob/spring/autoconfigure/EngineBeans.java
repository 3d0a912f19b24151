package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.engine.ElasticJobEngineBuilder;
import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.JobEventListener;
import dev.elasticjob.job.ShardingStrategy;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.function.SingletonSupplier;

/**
 * What an application's beans have for an engine that runs its jobs: listeners, strategies, error handlers and executors,
 * and customizers, which go last. For its own engine, and for a further one that runs the same beans.
 */
public final class EngineBeans {
    private final ListableBeanFactory beans;

    public EngineBeans(ListableBeanFactory beans) {
        this.beans = beans;
    }

    /** @param wanted which of the customizers count */
    public void addTo(ElasticJobEngineBuilder engine, Predicate<ElasticJobEngineBuilderCustomizer> wanted) {
        beans.getBeanProvider(JobEventListener.class).orderedStream().forEach(engine::listener);
        engine.jobListeners(beans.getBeanProvider(ElasticJobListener.class)
                        .orderedStream()
                        .toList())
                .strategies(beans.getBeansOfType(ShardingStrategy.class))
                .errorHandlers(beans.getBeansOfType(JobErrorHandler.class))
                .executors(executors());
        beans.getBeanProvider(ElasticJobEngineBuilderCustomizer.class)
                .orderedStream()
                .filter(wanted)
                .forEach(customizer -> customizer.customize(engine));
    }

    /** Each is fetched when the first item runs on it: most applications have one that no job names. */
    private Map<String, Executor> executors() {
        Map<String, Executor> byName = new TreeMap<>();
        for (String name : beans.getBeanNamesForType(Executor.class)) {
            Supplier<Executor> bean = SingletonSupplier.of(() -> beans.getBean(name, Executor.class));
            byName.put(name, task -> bean.get().execute(task));
        }
        return byName;
    }
}
