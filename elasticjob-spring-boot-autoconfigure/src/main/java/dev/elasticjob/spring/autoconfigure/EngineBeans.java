package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.kind.JobKind;
import dev.elasticjob.engine.ElasticJobEngineBuilder;
import dev.elasticjob.group.GroupEventListener;
import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.event.ExecutionObserver;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.job.event.RegistryRequestListener;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.CompositeTaskDecorator;
import org.springframework.util.function.SingletonSupplier;

/**
 * Adds an application's beans to an engine that runs its jobs: listeners, strategies, error handlers and executors, and
 * last the customizers. Used for the auto-configured engine, and for further engines that run the same beans.
 *
 * <p>All except kinds of jobs and customizers are fetched late, listeners when the engine starts and the others at their first use. So
 * the engine can be injected into them, and unused beans are never created.
 */
public final class EngineBeans {
    private final ListableBeanFactory beans;

    public EngineBeans(ListableBeanFactory beans) {
        this.beans = beans;
    }

    /** @param wanted selects the customizers */
    public void addTo(ElasticJobEngineBuilder engine, Predicate<ElasticJobEngineBuilderCustomizer> wanted) {
        engine.references(new SecretReferences(beans.getBean(Environment.class))::resolved);
        beans.getBeanProvider(ElasticJobProperties.class).ifAvailable(properties -> {
            engine.jobs(new WorkerJobs(properties.worker()).selection());
            new RegistryJobBeans(beans, properties).addTo(engine);
        });
        engine.kinds(kinds(beans));
        engine.listeners(() -> inOrder(JobEventListener.class))
                .requestListeners(() -> inOrder(RegistryRequestListener.class))
                .executionObserver(this::observer)
                .jobListeners(() -> inOrder(ElasticJobListener.class))
                .clusterListeners(() -> inOrder(ClusterJobListener.class))
                .groupListeners(() -> inOrder(GroupEventListener.class))
                .strategies(byName(
                        ShardingStrategy.class,
                        strategy -> request -> strategy.get().shard(request)))
                .errorHandlers(byName(JobErrorHandler.class, LateErrorHandler::new))
                .executors(byName(
                        Executor.class, executor -> task -> executor.get().execute(task)));
        inOrder(ElasticJobEngineBuilderCustomizer.class).stream()
                .filter(wanted)
                .forEach(customizer -> customizer.customize(engine));
    }

    /** The bean names that jobs may use, including those of a parent context. */
    static List<String> names(ListableBeanFactory beans, Class<?> type) {
        return List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false));
    }

    /** The application's own kinds of jobs. They are made before the engine, because jobs are checked with them. */
    static List<JobKind> kinds(ListableBeanFactory beans) {
        return beans.getBeanProvider(JobKind.class).orderedStream().toList();
    }

    private ExecutionObserver observer() {
        ExecutionObserver observer =
                beans.getBeanProvider(ExecutionObserver.class).getIfAvailable(() -> ExecutionObserver.NONE);
        List<TaskDecorator> decorators = inOrder(TaskDecorator.class);
        return decorators.isEmpty()
                ? observer
                : new DecoratedExecutions(observer, new CompositeTaskDecorator(decorators));
    }

    private <T> List<T> inOrder(Class<T> type) {
        return beans.getBeanProvider(type).orderedStream().toList();
    }

    private <T> Map<String, T> byName(Class<T> type, Function<Supplier<T>, T> late) {
        Map<String, T> byName = new TreeMap<>();
        for (String name : names(beans, type)) {
            byName.put(name, late.apply(SingletonSupplier.of(() -> beans.getBean(name, type))));
        }
        return byName;
    }

    private record LateErrorHandler(Supplier<JobErrorHandler> bean) implements JobErrorHandler {
        @Override
        public void handleException(String jobName, Throwable cause) {
            bean.get().handleException(jobName, cause);
        }

        @Override
        public void handleException(ShardingContext context, Throwable cause) {
            bean.get().handleException(context, cause);
        }
    }
}
