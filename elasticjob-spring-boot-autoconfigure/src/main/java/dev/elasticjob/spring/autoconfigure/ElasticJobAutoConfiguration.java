package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.coordination.FailoverLatch;
import dev.elasticjob.coordination.LeaderElection;
import dev.elasticjob.coordination.ReshardingFlags;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.engine.ElasticJobEngineBuilder;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.spring.embedded.EmbeddedZooKeeper;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * All beans of a job application. What needs the registry is lazy: it is connected when the first job starts, or when
 * somebody injects one of the beans that ask it; an application without jobs needs no ZooKeeper.
 *
 * <p>An {@link ElasticJobEngine} of the application's own replaces ours and runs the jobs. To have one beside ours, for
 * jobs that are registered by hand, it is declared with {@code @Bean(defaultCandidate = false)} and injected by a
 * qualifier.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "elasticjob.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ElasticJobProperties.class)
public final class ElasticJobAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    JobBeanCollector jobBeanCollector(
            ConfigurableListableBeanFactory beans, ElasticJobProperties properties, ObjectProvider<KnownNames> names) {
        return new JobBeanCollector(beans, properties, names.getIfAvailable(() -> KnownNames.ANY));
    }

    @Bean
    @ConditionalOnMissingBean
    EngineLifecycle elasticJobLifecycle(
            JobBeanCollector collector, ObjectProvider<ElasticJobEngine> engine, ElasticJobProperties properties) {
        return new EngineLifecycle(
                collector,
                () -> OneEngine.among(engine),
                properties.registry().connectionTimeout(),
                properties.shutdownTimeout());
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean(Registry.class)
    CuratorRegistry elasticJobRegistry(
            ZooKeeperConnectionDetails details, ElasticJobProperties properties, Environment environment) {
        return new RegistryConnection(properties.registry(), environment).connect(details);
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean(ZooKeeperConnectionDetails.class)
    ZooKeeperConnectionDetails zooKeeperConnectionDetails(
            ElasticJobProperties properties, ObjectProvider<EmbeddedZooKeeper> embedded) {
        return new RegistryAddress(properties.registry(), embedded::getObject).details();
    }

    /** Created before the registry, hence closed after it. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    EmbeddedZooKeeper embeddedZooKeeper(ElasticJobProperties properties) {
        ElasticJobProperties.Embedded embedded = properties.registry().embedded();
        return EmbeddedZooKeeper.start(
                embedded.address(),
                embedded.port(),
                embedded.dataDirectory(),
                properties.registry().serverTick(),
                properties.registry().connectionTimeout());
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    LeaderElection leaderElection(ElasticJobEngine engine) {
        return engine.leaderElection();
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    ReshardingFlags reshardingFlags(ElasticJobEngine engine) {
        return engine.reshardingFlags();
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    FailoverLatch failoverLatch(ElasticJobEngine engine) {
        return engine.failoverLatch();
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    JobInspector jobInspector(ElasticJobEngine engine) {
        return engine.inspector();
    }

    /** Commands for people and for the application itself: to run a one-off job, above all. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    JobAdmin jobAdmin(ElasticJobEngine engine) {
        return engine.admin();
    }

    /** The engine, where the application has none of its own. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(ElasticJobEngine.class)
    static class OneEngine {
        @Bean
        @Lazy
        ElasticJobEngine elasticJobEngine(
                Registry registry, ElasticJobProperties properties, ListableBeanFactory beans) {
            ElasticJobEngineBuilder builder = ElasticJobEngine.builder(registry)
                    .shutdownTimeout(properties.shutdownTimeout())
                    .onSessionLoss(properties.onSessionLoss());
            PropertyMapper map = PropertyMapper.get();
            map.from(properties.instance()::id).to(builder::instanceId);
            map.from(properties.instance()::ip).to(builder::ip);
            map.from(properties.instance()::preferredNetwork).to(builder::preferredNetwork);
            map.from(properties.executor()::maxThreads).to(builder::maxThreads);
            try {
                builder.serverTick(properties.registry().serverTick());
                new EngineBeans(beans).addTo(builder, customizer -> true);
                return builder.build();
            } catch (IllegalArgumentException e) {
                throw new FailureAnalyzedException(
                        String.valueOf(e.getMessage()), "Correct the property or the name that is named.", e);
            }
        }

        @Bean
        KnownNames knownNames(ListableBeanFactory beans) {
            return KnownNames.of(beans);
        }

        /**
         * The one that runs the application's jobs.
         *
         * @throws FailureAnalyzedException when there are several and nothing tells which
         */
        static ElasticJobEngine among(ObjectProvider<ElasticJobEngine> engines) {
            try {
                return engines.getObject();
            } catch (NoUniqueBeanDefinitionException e) {
                Collection<String> found = e.getBeanNamesFound() == null ? List.of() : e.getBeanNamesFound();
                throw new FailureAnalyzedException(
                        "This application has several engines, and nothing tells which of them runs its jobs: %s."
                                .formatted(new TreeSet<>(found)),
                        "Mark the one that runs the beans with @ElasticJob as @Primary; or declare the others with"
                                + " @Bean(defaultCandidate = false), so that they are only injected where a qualifier asks"
                                + " for them.");
            }
        }
    }

    /** Items on virtual threads, where the application wants them and the JDK has them. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnThreading(Threading.VIRTUAL)
    static class VirtualThreads {
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        ElasticJobEngineBuilderCustomizer itemsOnVirtualThreads() {
            var workers = new SimpleAsyncTaskExecutor("elasticjob-item-");
            workers.setVirtualThreads(true);
            return builder -> builder.workers(workers);
        }
    }
}
