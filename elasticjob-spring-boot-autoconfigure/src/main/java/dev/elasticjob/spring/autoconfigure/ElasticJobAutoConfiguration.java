package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.coordination.FailoverLatch;
import dev.elasticjob.coordination.LeaderElection;
import dev.elasticjob.coordination.ReshardingFlags;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.engine.ElasticJobEngineBuilder;
import dev.elasticjob.group.GroupInspector;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.spring.embedded.EmbeddedZooKeeper;
import dev.elasticjob.time.SystemTaskTimer;
import dev.elasticjob.time.TaskTimer;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.util.ObjectUtils;

/**
 * All beans of a job application. The registry is connected when the first job starts, or at the first command or query
 * of an application without jobs, but never by an injection.
 *
 * <p>A child context with jobs has its own engine and session. It takes from its parent only an embedded server, and a
 * registry or connection details that the application declares.
 *
 * <p>An {@link ElasticJobEngine} bean of the application replaces this one and runs the jobs. To declare an additional
 * engine, for jobs that are registered by hand, use {@code @Bean(defaultCandidate = false)} and inject it with a
 * qualifier.
 */
@AutoConfiguration
@ConditionalOnSwitch("elasticjob.enabled")
@EnableConfigurationProperties(ElasticJobProperties.class)
@ImportRuntimeHints({ZooKeeperClientHints.class, JobPropertiesHints.class})
public final class ElasticJobAutoConfiguration {
    private static final String REGISTRY = "elasticJobRegistry";
    private static final String DETAILS = "elasticJobConnectionDetails";

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    JobBeanCollector elasticJobBeanCollector(ConfigurableListableBeanFactory beans, ElasticJobProperties properties) {
        boolean oursRunsThem = beans.getBeanNamesForType(OneEngine.class, true, false).length > 0;
        return new JobBeanCollector(
                beans, properties, oursRunsThem ? KnownNames.of(beans) : KnownNames.ANY, Clock.systemUTC());
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    GroupBeans elasticJobGroupBeans(ConfigurableListableBeanFactory beans, ElasticJobProperties properties) {
        return new GroupBeans(beans, properties.worker().enabled());
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    EngineLifecycle elasticJobLifecycle(
            JobBeanCollector collector,
            GroupBeans groups,
            ConfigurableListableBeanFactory beans,
            ElasticJobProperties properties) {
        return new EngineLifecycle(collector, groups, accessTo(beans), properties, beans.getApplicationStartup());
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    PhaseTimeoutCheck elasticJobPhaseTimeoutCheck(
            JobBeanCollector collector, ElasticJobProperties properties, Environment environment) {
        return new PhaseTimeoutCheck(collector, properties.shutdownTimeout(), environment);
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    StartWhenReady elasticJobStartWhenReady(EngineLifecycle lifecycle, ApplicationContext context) {
        return new StartWhenReady(lifecycle, context);
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    CloseWhenFinished elasticJobCloseWhenFinished(
            ListableBeanFactory beans, ConfigurableApplicationContext context, ElasticJobProperties properties) {
        // No condition: of values that can't be read, startup tells all together.
        return new CloseWhenFinished(() -> engineOf(beans), context, properties.worker());
    }

    private static EngineAccess accessTo(ConfigurableListableBeanFactory beans) {
        return new EngineAccess() {
            @Override
            public ElasticJobEngine engine() {
                return engineOf(beans);
            }

            @Override
            public Optional<LateRegistry> registry() {
                return beans.containsSingleton(REGISTRY)
                        ? Optional.of(beans.getBean(REGISTRY, LateRegistry.class))
                        : Optional.empty();
            }
        };
    }

    /** A child context has its own connection, because sessions distinguish instances. */
    @Bean(REGISTRY)
    @Lazy
    @ConditionalOnMissingBean(value = Registry.class, ignored = LateRegistry.class)
    LateRegistry elasticJobRegistry(
            ZooKeeperConnectionDetails details,
            ElasticJobProperties properties,
            ConfigurableListableBeanFactory beans) {
        var connection = new RegistryConnection(properties.registry(), details, beans, REGISTRY);
        return new LateRegistry(connection::problems, connection::check, connection::connect);
    }

    @Bean(DETAILS)
    @Lazy
    @ConditionalOnMissingBean(
            value = ZooKeeperConnectionDetails.class,
            ignored = PropertiesZooKeeperConnectionDetails.class)
    PropertiesZooKeeperConnectionDetails elasticJobConnectionDetails(
            ElasticJobProperties properties,
            ObjectProvider<EmbeddedZooKeeper> embedded,
            ObjectProvider<SslBundles> bundles,
            ConfigurableListableBeanFactory beans) {
        Supplier<EmbeddedZooKeeper> starting = () -> {
            // Spring closes the dependents of a bean before the bean.
            for (String server : beans.getBeanNamesForType(EmbeddedZooKeeper.class, true, false)) {
                beans.registerDependentBean(server, DETAILS);
            }
            return embedded.getObject();
        };
        return new PropertiesZooKeeperConnectionDetails(properties.registry(), starting, bundles::getIfAvailable);
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    EmbeddedZooKeeper elasticJobEmbeddedZooKeeper(ElasticJobProperties properties) {
        ElasticJobProperties.Embedded embedded = properties.registry().embedded();
        return EmbeddedZooKeeper.start(
                embedded.address(),
                embedded.port(),
                embedded.dataDirectory(),
                properties.registry().serverTick(),
                properties.registry().connectionTimeout());
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    LeaderElection elasticJobLeaderElection(ListableBeanFactory beans) {
        return LatePort.of(LeaderElection.class, () -> engineOf(beans).leaderElection());
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    ReshardingFlags elasticJobReshardingFlags(ListableBeanFactory beans) {
        return LatePort.of(ReshardingFlags.class, () -> engineOf(beans).reshardingFlags());
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    FailoverLatch elasticJobFailoverLatch(ListableBeanFactory beans) {
        return LatePort.of(FailoverLatch.class, () -> engineOf(beans).failoverLatch());
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    JobInspector elasticJobInspector(ListableBeanFactory beans) {
        return LatePort.of(JobInspector.class, () -> engineOf(beans).inspector());
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    GroupInspector elasticJobGroupInspector(ListableBeanFactory beans) {
        return LatePort.of(GroupInspector.class, () -> engineOf(beans).groups());
    }

    /** Commands for operators and for the application itself, above all to run one-off jobs. */
    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    JobAdmin elasticJobAdmin(ListableBeanFactory beans) {
        return LatePort.of(JobAdmin.class, () -> engineOf(beans).admin());
    }

    /** Starts before the engine: beans that depend on no listener are injected into one. */
    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    @ConditionalOnSwitch("elasticjob.events.publish")
    JobEventPublisher elasticJobEventPublisher(ApplicationEventPublisher events, ElasticJobProperties properties) {
        // Of the timer, only the clock is used: it has no thread, and nothing to close.
        TaskTimer clock = new SystemTaskTimer("elasticjob-events-timer");
        return new JobEventPublisher(events, properties.events().queueCapacity(), clock);
    }

    /**
     * The engine that runs the application's jobs.
     *
     * @throws FailureAnalyzedException if there are several, and none is marked
     */
    private static ElasticJobEngine engineOf(ListableBeanFactory beans) {
        try {
            return beans.getBeanProvider(ElasticJobEngine.class).getObject();
        } catch (NoUniqueBeanDefinitionException e) {
            Collection<String> found = e.getBeanNamesFound() == null ? List.of() : e.getBeanNamesFound();
            throw new FailureAnalyzedException(
                    "This application has several ElasticJobEngine beans, and none is marked to run its jobs: %s."
                            .formatted(new TreeSet<>(found)),
                    "Mark the one that runs the @ElasticJob beans as @Primary, or declare the others with"
                            + " @Bean(defaultCandidate = false), so that they are injected only where a qualifier asks"
                            + " for them.");
        }
    }

    /** The engine, if the application declares none. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(value = ElasticJobEngine.class, search = SearchStrategy.CURRENT)
    static class OneEngine {
        /** The application's name as a rule; of a context without an id of its own, not the name of its class. */
        private static String nameOf(ApplicationContext context) {
            return ObjectUtils.identityToString(context).equals(context.getId())
                    ? ObjectUtils.getIdentityHexString(context)
                    : String.valueOf(context.getId());
        }

        @Bean
        @Lazy
        ElasticJobEngine elasticJobEngine(
                Registry registry,
                ElasticJobProperties properties,
                ListableBeanFactory beans,
                ApplicationContext context) {
            // Several contexts in one JVM, such as a parent and its child, have engines of their own.
            ElasticJobEngineBuilder builder =
                    ElasticJobEngine.builder(registry).threadNamePrefix("elasticjob-%s-".formatted(nameOf(context)));
            PropertyMapper map = PropertyMapper.get();
            try {
                map.from(properties.instance()::id).to(builder::instanceName);
                map.from(properties.instance()::ip).to(builder::ip);
                map.from(properties.instance()::preferredNetwork).to(builder::preferredNetwork);
                map.from(properties.worker()::capacity).to(builder::capacity);
                map.from(properties.executor()::maxThreads).to(builder::maxThreads);
                map.from(properties.metrics()::demandInterval).to(builder::demandInterval);
                if (!properties.worker().endsByItself()) {
                    builder.rebalanceDelay(properties.rebalanceDelay());
                }
                builder.labels(properties.worker().labels())
                        .shutdownTimeout(properties.shutdownTimeout())
                        .onSessionLoss(properties.onSessionLoss())
                        .onForeignInstance(properties.onForeignInstance())
                        .onDataLoss(properties.registry().onDataLoss())
                        .serverTick(properties.registry().serverTick());
                ElasticJobProperties.DynamicSharding groups = properties.dynamicSharding();
                builder.groupNamespace(groups.namespace())
                        .groupStopTimeout(groups.stopTimeout(), groups.onStopTimeout())
                        .groupJoinDelay(groups.joinDelay());
                new EngineBeans(beans).addTo(builder, customizer -> true);
                builder.startedByRegistration(
                        () -> beans.getBean(EngineLifecycle.class).startByRegistration());
                return builder.build();
            } catch (IllegalArgumentException e) {
                throw new FailureAnalyzedException(
                        String.valueOf(e.getMessage()), "Correct the property or the name mentioned above.", e);
            }
        }
    }

    /**
     * Runs items on virtual threads, if the application wants this and the JDK supports it. Only {@code
     * elasticjob.executor.max-threads} bounds their number; the application's decorators are applied to each item anyway.
     */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnThreading(Threading.VIRTUAL)
    static class VirtualThreads {
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        ElasticJobEngineBuilderCustomizer elasticJobItemsOnVirtualThreads(
                ObjectProvider<SimpleAsyncTaskExecutorBuilder> executors, ElasticJobProperties properties) {
            SimpleAsyncTaskExecutor workers = executors
                    .getIfAvailable(SimpleAsyncTaskExecutorBuilder::new)
                    .threadNamePrefix("elasticjob-item-")
                    .virtualThreads(true)
                    .concurrencyLimit(SimpleAsyncTaskExecutor.UNBOUNDED_CONCURRENCY)
                    .taskDecorator(item -> item)
                    .build();
            Integer bound = properties.executor().maxThreads();
            return builder -> builder.workers(workers).maxThreads(bound == null ? Integer.MAX_VALUE : bound);
        }
    }
}
